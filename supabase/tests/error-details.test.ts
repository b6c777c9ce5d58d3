// Postgres' error details may contain columns the caller must not read. Cases are enumerated from the catalog, so views,
// columns and functions added later are covered too.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aScene, type Scene, type Squad } from './rights-scene.ts'
import { aTeam, type Person, type Team } from './team.ts'

const SECRET_TOKEN = 'the-push-token-of-the-member'
let team: Team
let scene: Scene
let squad: Squad

beforeAll(async () => {
  team = await aTeam()
  scene = await aScene(team)
  squad = await scene.aSquad()
  await team.sql('update private.members set push_token = $1', [SECRET_TOKEN])
  await team.sql("update private.chat_participants set muted_until = 'infinity'")
})
afterAll(() => team?.close())

type Column = { relation: string; column: string; type: string; privilege: string }

/** Columns that a member may write and that a security definer trigger stores. */
const writableColumns = () =>
  team.sql<Column>(`
    select c.relname as relation, a.attname as column, format_type(a.atttypid, null) as type, right_name as privilege
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    cross join unnest(array['INSERT', 'UPDATE']) right_name
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p')
      and has_column_privilege('authenticated', c.oid, a.attnum, right_name)
    order by 1, 4, 2`)

const BAD: Record<string, unknown[]> = {
  text: [null, 'x'.repeat(6000), ''],
  uuid: [null, '00000000-0000-4000-8000-000000000000'],
  'uuid[]': [null, Array.from({ length: 5001 }, () => '00000000-0000-4000-8000-000000000000')],
  integer: [null, -1, 2147483647],
  jsonb: [null, {}, []],
}
const badValues = (type: string) => BAD[type] ?? [null]

const brief = (value: unknown) => String(value).slice(0, 20)
/** Whether an error reveals the values of a row. */
const printsRow = ({ error }: { error: unknown }) =>
  /Failing row|push-token/.test(JSON.stringify(error ?? ''))

test('no table or view reveals a row that it refuses', async () => {
  const columns = await writableColumns()
  expect(columns.map(({ relation }) => relation)).toEqual(
    expect.arrayContaining(['users', 'chat_participants', 'chats', 'chat_messages']),
  )
  const printed: string[] = []
  for (const person of [scene.cast.member, scene.cast.admin, scene.cast.creator]) {
    for (const { relation, column, type, privilege } of columns) {
      for (const value of badValues(type)) {
        const table = person.client.from(relation)
        const result =
          privilege === 'INSERT'
            ? await table.insert({ ...own(relation, person), [column]: value })
            : await table.update({ [column]: value }).match(own(relation, person))
        if (printsRow(result)) printed.push(`${privilege} ${relation}.${column}: ${brief(value)}`)
      }
    }
  }
  expect(printed).toEqual([])
}, 120_000)

/** One of the caller's own rows, so that the constraint fails and not the policy. */
function own(relation: string, { id }: Person): Record<string, unknown> {
  if (relation === 'users') return { id }
  if (relation === 'chat_participants') return { chat_id: squad.id, user_id: id }
  if (relation === 'chats') return { id: squad.id }
  if (relation === 'chat_messages') return { id: squad.messageId }
  if (relation === 'team_settings') return { id: true }
  return { id: '00000000-0000-4000-8000-000000000000' }
}

type Func = { name: string; args: string[]; types: string[] }

test('no function reveals a row that it refuses', async () => {
  const functions = await team.sql<Func>(`
    select p.proname as name, p.proargnames[1:p.pronargs]::text[] as args,
      array(select format_type(t, null) from unnest(p.proargtypes) t) as types
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.pronargs > 0
      and has_function_privilege('authenticated', p.oid, 'EXECUTE')`)
  expect(functions.length).toBeGreaterThan(10)
  const printed: string[] = []
  for (const person of [scene.cast.member, scene.cast.admin]) {
    for (const { name, args, types } of functions) {
      for (const [place, arg] of args.entries()) {
        for (const value of badValues(types[place] ?? '')) {
          const call = Object.fromEntries(args.map((each, at) => [each, usual(types[at], each)]))
          const result = await person.client.rpc(name, { ...call, [arg]: value })
          if (printsRow(result)) printed.push(`${name}(${arg}: ${brief(value)})`)
        }
      }
    }
  }
  expect(printed).toEqual([])
}, 120_000)

/** A plausible argument for the type. */
function usual(type: string | undefined, name: string): unknown {
  if (type === 'uuid') return /message/.test(name) ? squad.messageId : squad.id
  if (type === 'uuid[]') return [scene.cast.other.id]
  if (type === 'text') return 'Hi'
  if (type === 'text[]') return ['Hi']
  if (type === 'integer' || type === 'bigint') return 1
  if (type === 'boolean') return true
  if (type === 'jsonb' || type === 'json') return {}
  if (type === 'date') return '2026-01-05'
  if (type === 'timestamp with time zone') return '2026-01-05T00:00:00Z'
  return null
}

test('malformed account ids do not end up in the database log', async () => {
  const asked = (user_id: unknown) => team.anonymous().client.rpc('email_confirmed', { user_id })
  expect(await asked(scene.cast.member.id)).toMatchObject({ data: true, error: null })
  const long = await asked('x'.repeat(10_000))
  expect(long.error).toMatchObject({ code: '22P02' })
  expect(JSON.stringify(long.error)).not.toContain('xxx')
  expect((await asked(null)).error).toMatchObject({ code: '22P02' })
})

test('the response does not say whether a foreign chat has a message', async () => {
  const { outsider } = scene.cast
  const [theirs] = await team.sql<{ id: string }>(
    `insert into public.chat_messages (chat_id, sender_id, message) values ($1, $2, 'Ours') returning id`,
    [squad.id, scene.cast.member.id],
  )
  const ids = [theirs?.id, randomUUID()]
  const reactions = ids.map((message_id) =>
    outsider.client.from('chat_reactions').insert({ message_id, emoji: '👍' }),
  )
  const replies = ids.map((reply_to) =>
    outsider.client
      .from('chat_messages')
      .insert({ chat_id: squad.id, sender_id: outsider.id, message: 'Hello', reply_to }),
  )
  for (const attempts of [reactions, replies]) {
    const [known, unknown] = (await Promise.all(attempts)).map(({ error, status }) => ({
      error,
      status,
    }))
    expect(known?.error).not.toBeNull()
    expect(known).toEqual(unknown)
  }
})
