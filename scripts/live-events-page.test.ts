// docs/live-events.md lists exactly what the schemas publish, and the subscribers it names know the event.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')

const rows = [...read('docs/live-events.md').matchAll(/^\| `([^`]+)`\s*\| `([^`]+)`\s*\|(.*)$/gm)]
const PUBLISHING = /\b(?:realtime\.send|private\.publish_to_members)\(/g

test('every event that the schemas publish is on the page, and no other', () => {
  const listed = rows.map(([, topic = '', event = '']) => `${topic.split(':')[0]} ${event}`)
  const published = readdirSync(`${root}/supabase/schemas`).flatMap((file) =>
    eventsIn(read(`supabase/schemas/${file}`)),
  )
  expect([...new Set(published)].toSorted()).toEqual(listed.toSorted())
})

test.each(rows.map(([, topic = '', event = '', rest = '']) => [topic, event, rest] as const))(
  'on %s, the subscribers of %s know it',
  (_topic, event, rest) => {
    const files = [...rest.matchAll(/`(web\/[^`]+)`/g)].map(([, file = '']) => file)
    expect(files).not.toEqual([])
    for (const file of files) expect(read(file)).toContain(`'${event}'`)
  },
)

/** `topic event` of each call that publishes; the definition of publish_to_members itself is none. */
function eventsIn(sql: string): string[] {
  return [...sql.matchAll(PUBLISHING)]
    .filter(({ index }) => !sql.slice(0, index).trimEnd().endsWith('function'))
    .flatMap(({ index, 0: start }) => {
      const isToMembers = start.includes('publish_to_members')
      const call = argumentsFrom(sql, index + start.length)
      const literals = [...withoutPayloads(call).matchAll(/'([a-z_:]+)'/g)].map(
        ([, text = '']) => text,
      )
      const topics = isToMembers
        ? ['user']
        : literals.filter(isTopic).map((text) => text.replace(/:$/, ''))
      if (topics.length === 0) topics.push(...declaredTopic(sql, call))
      return literals
        .filter((text) => !isTopic(text))
        .flatMap((event) => topics.map((topic) => `${topic} ${event}`))
    })
}

function isTopic(text: string): boolean {
  return text.endsWith(':') || text === 'team' || text === 'admins'
}

/** A topic kept in a constant, such as `typing_topic constant text := 'typing:' || chat_id`. */
function declaredTopic(sql: string, call: string): string[] {
  const name = /(\w+_topic)\b/.exec(call)?.[1]
  const topic = name && new RegExp(`${name} constant text := '([a-z]+):'`).exec(sql)?.[1]
  return topic ? [topic] : []
}

function argumentsFrom(sql: string, start: number): string {
  let depth = 1
  let end = start
  for (; depth > 0 && end < sql.length; end++) {
    if (sql[end] === '(') depth++
    if (sql[end] === ')') depth--
  }
  return sql.slice(start, end - 1)
}

/** Payloads name columns and tables, which look like events. */
function withoutPayloads(call: string): string {
  const start = call.indexOf('jsonb_build_object(')
  if (start < 0) return call
  const from = start + 'jsonb_build_object('.length
  return withoutPayloads(
    call.slice(0, start) + call.slice(from + argumentsFrom(call, from).length + 1),
  )
}
