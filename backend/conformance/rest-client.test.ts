// Every filter and modifier of postgrest-js.
import type { PostgrestError } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend()
})
afterAll(() => backend.close())

function films() {
  return backend.db.from('films').select('id').order('id')
}
type Films = ReturnType<typeof films>

const filters: [string, (query: Films) => Films, number[]][] = [
  ['eq', (query) => query.eq('title', 'Blue, "Bluer"'), [2]],
  ['neq', (query) => query.neq('id', 2), [1, 3, 4, 5]],
  ['gt', (query) => query.gt('rating', 7.5), [2]],
  ['gte', (query) => query.gte('rating', 7.5), [1, 2]],
  ['lt', (query) => query.lt('day', '1980-01-01'), [1]],
  ['lte', (query) => query.lte('released', '1971-03-01T10:00:00Z'), [1]],
  ['like', (query) => query.like('title', '%_score'), [4]],
  ['likeAllOf', (query) => query.likeAllOf('title', ['%e%', '%u%']), [1, 2]],
  ['likeAnyOf', (query) => query.likeAnyOf('title', ['A%', 'L%']), [1, 5]],
  ['ilike', (query) => query.ilike('title', 'lost'), [5]],
  ['ilikeAllOf', (query) => query.ilikeAllOf('title', ['%E%', '%D%']), [1, 4]],
  ['ilikeAnyOf', (query) => query.ilikeAnyOf('title', ['a%', 'l%']), [1, 5]],
  ['regexMatch', (query) => query.regexMatch('title', '^[AB]'), [1, 2]],
  ['regexIMatch', (query) => query.regexIMatch('title', '^[ab]'), [1, 2]],
  ['is null', (query) => query.is('year', null), [5]],
  ['is true', (query) => query.is('is_color', true), [1, 2, 3, 4, 5]],
  ['isDistinct', (query) => query.isDistinct('year', 1971), [2, 3, 4, 5]],
  ['in', (query) => query.in('title', ['A Quiet Field', 'Città 100%', 'a(b,c)']), [1, 3]],
  ['in without elements', (query) => query.in('id', []), []],
  ['notIn', (query) => query.notIn('id', [1, 2]), [3, 4, 5]],
  ['contains a list', (query) => query.contains('tags', ['slow']), [1, 5]],
  ['contains JSON', (query) => query.contains('facts', { kind: 'comedy' }), [2]],
  ['contains a range', (query) => query.contains('runs', '[6,7)'), [1, 2]],
  ['containedBy', (query) => query.containedBy('tags', ['slow', 'green', 'red']), [1, 3, 5]],
  ['rangeGt', (query) => query.rangeGt('runs', '[1,10)'), [3]],
  ['rangeGte', (query) => query.rangeGte('runs', '[5,20)'), [2, 3]],
  ['rangeLt', (query) => query.rangeLt('runs', '[25,30)'), [1, 2]],
  ['rangeLte', (query) => query.rangeLte('runs', '[5,20)'), [1, 2]],
  ['rangeAdjacent', (query) => query.rangeAdjacent('runs', '[20,30)'), [2, 3]],
  ['overlaps lists', (query) => query.overlaps('tags', ['blue', 'green']), [1, 2]],
  ['overlaps ranges', (query) => query.overlaps('runs', '[8,9)'), [1, 2]],
  ['textSearch', (query) => query.textSearch('words', `'cat' & 'fat'`), [1]],
  [
    'textSearch plain',
    (query) => query.textSearch('words', 'fat cats', { type: 'plain', config: 'english' }),
    [1],
  ],
  [
    'textSearch phrase',
    (query) => query.textSearch('words', 'fat cats', { type: 'phrase', config: 'english' }),
    [1],
  ],
  [
    'textSearch websearch',
    (query) => query.textSearch('words', 'cats -dogs', { type: 'websearch', config: 'english' }),
    [1],
  ],
  ['match', (query) => query.match({ id: 1, year: 1971 }), [1]],
  ['not', (query) => query.not('id', 'in', '(1,2)'), [3, 4, 5]],
  ['or', (query) => query.or('id.eq.1,and(year.gt.1990,rating.not.is.null)'), [1, 4]],
  ['filter', (query) => query.filter('facts->>kind', 'in', '("drama","comedy")'), [1, 2]],
  ['range', (query) => query.range(1, 2), [2, 3]],
  ['limit', (query) => query.limit(2), [1, 2]],
]

test.each(filters)('%s', async (_name, apply, expected) => {
  const { data, error } = await apply(films())
  expect(error).toBeNull()
  expect(data).toEqual(expected.map((id) => ({ id })))
})

test('an embedded table is filtered by its name', async () => {
  const { data } = await backend.db
    .from('directors')
    .select('first_name,films!director_id(title)')
    .or('title.eq.Lost,year.lt.1980', { referencedTable: 'films' })
    .order('title', { referencedTable: 'films', nullsFirst: true })
    .limit(1, { referencedTable: 'films' })
    .range(0, 0, { referencedTable: 'films' })
    .eq('id', 1)
  expect(data).toEqual([{ first_name: 'Ada', films: [{ title: 'A Quiet Field' }] }])
})

test('numbers too large for JavaScript are exact when cast to text', async () => {
  const { data } = await backend.db
    .from('film_details')
    .select('budget::text')
    .eq('budget', '9007199254740993')
  expect(data).toEqual([{ budget: '9007199254740993' }])
})

test('timestamps have a time zone and match filters in any offset', async () => {
  const { data } = await backend.db
    .from('films')
    .select('released,day')
    .eq('released', '2005-05-05T13:05:05+03:00')
  expect(data).toEqual([{ released: '2005-05-05T10:05:05+00:00', day: '2005-05-05' }])
})

test('text in any script and with any special characters round-trips unchanged', async () => {
  const texts = [
    '日本語 🎌',
    `a'b"c\\d`,
    '%_*',
    '{"a":[1]}',
    '(x,y)',
    'line\nbreak\ttab',
    ' space ',
    '&?#+=%25',
    'null',
    '',
  ]
  for (const text of texts) {
    const made = await backend.db
      .from('keyless')
      .insert({ letter: text, number: 7 })
      .select()
      .single()
    expect(made.data).toEqual({ letter: text, number: 7 })
    const found = await backend.db
      .from('keyless')
      .select('letter')
      .eq('letter', text)
      .eq('number', 7)
    expect(found.data).toEqual([{ letter: text }])
  }
  const listed = await backend.db
    .from('keyless')
    .select('letter')
    .in('letter', texts.slice(0, -1))
    .eq('number', 7)
  expect(listed.data).toHaveLength(texts.length - 1)
})

test('throwOnError throws the error of the Data API', async () => {
  const thrown: unknown = await backend.db
    .from('film')
    .select()
    .throwOnError()
    .then(
      () => null,
      (error: unknown) => error,
    )
  expect((thrown as PostgrestError).code).toBe('PGRST205')
})

test('an aborted request leaves the connection usable', async () => {
  const controller = new AbortController()
  const aborted = backend.db.from('films').select().abortSignal(controller.signal)
  controller.abort()
  expect((await aborted).error?.message).toContain('AbortError')
  expect((await films()).data).toHaveLength(5)
})

test('geojson is not acceptable without PostGIS', async () => {
  expect(await backend.db.from('films').select().geojson()).toMatchObject({ status: 406 })
})
