// @vitest-environment node
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { contentFormSchema, formOf, rowOf, type ContentForm } from './content-form.ts'
import { CONTENT_TYPES } from './content-types.ts'

const typeOf = (id: string) => CONTENT_TYPES.find((each) => each.id === id)!
const home = typeOf('home')
const schedule = typeOf('schedule')

function problems(type = home, some: Partial<ContentForm> = {}): string[] {
  const form = { ...formOf(type), title: 'Team night', ...some }
  const result = v.safeParse(contentFormSchema(type), form)
  return result.success ? [] : result.issues.map(({ message }) => message)
}

test('a title is required', () => {
  expect(problems(home, { title: '   ' })).toEqual(['Title is required'])
  expect(problems(home)).toEqual([])
})

test.each(['example', 'ftp://example.com', 'javascript:alert(1)', 'https://', 'https://a b'])(
  'the url must be a web address, and %j is not',
  (url) => {
    expect(problems(home, { url })).toHaveLength(1)
  },
)

test.each(['www.example.com/a', 'example.com', 'zoom.us/j/123?pwd=a', 'añil.example:8443/#b'])(
  'the address %s is completed',
  (url) => {
    const form = { ...formOf(home), title: 'Team night', url }
    expect(v.parse(contentFormSchema(home), form).url).toBe(`https://${url}`)
  },
)

test('what is no name of a site is not completed', () => {
  for (const url of ['maya@example.com', 'example.com and more'])
    expect(problems(home, { url }), url).not.toEqual([])
})

test('no url, and a real one, are fine', () => {
  expect(problems(home, { url: '' })).toEqual([])
  expect(problems(home, { url: ' https://example.com/a?b=c ' })).toEqual([])
})

test('the sort order is an integer, or empty', () => {
  expect(problems(home, { sort_order: '1.5' })).toHaveLength(1)
  expect(problems(home, { sort_order: 'x' })).toHaveLength(1)
  expect(problems(home, { sort_order: '' })).toEqual([])
})

test('a schedule item needs both times', () => {
  const text = 'Start time and end time are required for schedule items'
  expect(problems(schedule)).toEqual([text])
  expect(problems(schedule, { start_time: '19:00' })).toEqual([text])
})

test('start time must be before end time', () => {
  const text = 'Start time must be before end time'
  expect(problems(schedule, { start_time: '19:00', end_time: '19:00' })).toEqual([text])
  expect(problems(schedule, { start_time: '19:00', end_time: '18:00' })).toEqual([text])
  expect(problems(schedule, { start_time: '09:00', end_time: '10:00' })).toEqual([])
})

test('times are dropped for every type but the schedule', () => {
  const form = { ...formOf(home), start_time: '19:00', end_time: '20:00', meeting_id: '1' }
  expect(rowOf(home, form)).not.toHaveProperty('start_time')
  expect(rowOf(home, form)).not.toHaveProperty('meeting_id')
  expect(rowOf(schedule, form)).toMatchObject({ start_time: '19:00', meeting_id: '1' })
})

test('empty fields are stored as null', () => {
  expect(rowOf(home, { ...formOf(home), title: ' A ', url: ' ' })).toMatchObject({
    title: 'A',
    url: null,
    description: null,
  })
})
