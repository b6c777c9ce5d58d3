import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend()
})
afterAll(() => backend.close())

test('a table that is not there is answered with the closest one', async () => {
  expect(await backend.db.from('film').select()).toMatchObject({
    status: 404,
    error: {
      code: 'PGRST205',
      message: "Could not find the table 'public.film' in the schema cache",
      details: null,
      hint: "Perhaps you meant the table 'public.films'",
    },
  })
  expect((await backend.db.from('xyzzy').select()).error).toMatchObject({
    code: 'PGRST205',
    hint: null,
  })
})

test.each([
  [
    '/films?id=noop.0',
    '"failed to parse filter (noop.0)" (line 1, column 1)',
    'unexpected "n" expecting "not" or operator (eq, gt, ...)',
  ],
  [
    '/films?id=eq',
    '"failed to parse filter (eq)" (line 1, column 3)',
    'unexpected end of input expecting delimiter (.)',
  ],
  [
    '/films?id=in.1',
    '"failed to parse filter (in.1)" (line 1, column 4)',
    'unexpected "1" expecting "("',
  ],
  [
    '/films?id=is.what',
    '"failed to parse filter (is.what)" (line 1, column 4)',
    'unexpected "w" expecting isVal: (null, not_null, true, false, unknown)',
  ],
  [
    '/films?select=id)',
    '"failed to parse select parameter (id))" (line 1, column 3)',
    'unexpected ")" expecting "," or end of input',
  ],
  [
    '/films?order=id.up',
    '"failed to parse order (id.up)" (line 1, column 3)',
    'unexpected "." expecting "asc", "desc", "nullsfirst", "nullslast", "," or end of input',
  ],
  [
    '/films?or=()',
    '"failed to parse logic tree (())" (line 1, column 2)',
    'unexpected ")" expecting field name (* or [a..z0..9_$])',
  ],
])('%s cannot be read, and the answer says where', async (path, message, details) => {
  const response = await backend.ask(path)
  expect([response.status, await response.json()]).toEqual([
    400,
    { code: 'PGRST100', message, details, hint: null },
  ])
})

test.each([
  ['/films?id=eq.abc', 400, '22P02'],
  ['/films?nothing=eq.1', 400, '42703'],
  ['/films?select=nothing', 400, '42703'],
  ['/films?select=id::nothing', 400, '42704'],
  ['/films?title=match.*(', 400, '2201B'],
  ['/films?id=like.1', 404, '42883'],
  ['/films?id=eq.99999999999999999999', 400, '22003'],
  ['/films?tags=cs.notalist', 400, '22P02'],
  ['/films?title=fts(nothing).x', 400, '42704'],
  ['/films?title=eq.%00', 400, '22021'],
])('Postgres refuses %s: %i %s', async (path, status, code) => {
  const response = await backend.ask(path)
  expect([response.status, await response.json()]).toMatchObject([status, { code }])
})

test('rights and policies decide what an anonymous caller reads and writes', async () => {
  expect((await backend.db.from('guarded').select('id,open_part')).data).toEqual([
    { id: 1, open_part: 'open' },
  ])
  expect((await backend.service.from('guarded').select('id').order('id')).data).toEqual([
    { id: 1 },
    { id: 2 },
  ])
  const column = await backend.db.from('guarded').select('closed_part')
  expect(column).toMatchObject({ status: 401, error: { code: '42501' } })
  const all = await backend.db.from('guarded').select()
  expect(all.error).toMatchObject({ code: '42501', message: 'permission denied for table guarded' })
  const row = await backend.db.from('guarded').insert({ id: 3, owner: 'anon' })
  expect(row).toMatchObject({
    status: 401,
    error: {
      code: '42501',
      message: 'new row violates row-level security policy for table "guarded"',
    },
  })
})

test('paths and methods that lead nowhere are refused', async () => {
  const deep = await backend.ask('/films/1')
  expect([deep.status, await deep.json()]).toMatchObject([404, { code: 'PGRST125' }])
  const method = await backend.ask('/films', { method: 'PROPFIND' }).catch(() => null)
  if (method) expect(method.status).toBeGreaterThanOrEqual(400)
})

test('aggregates are off unless enabled', async () => {
  expect((await backend.db.from('films').select('year.max()')).error).toMatchObject({
    code: 'PGRST123',
  })
})

test('an unknown schema is refused with the ones there are', async () => {
  const { error, status } = await backend.db
    .schema('private' as never)
    .from('films')
    .select()
  expect(status).toBe(406)
  expect(error).toEqual({
    code: 'PGRST106',
    message: 'Invalid schema: private',
    details: null,
    hint: 'Only the following schemas are exposed: public',
  })
})

test('the description of the schema is for the secret key', async () => {
  const anonymous = await backend.ask('/')
  expect([anonymous.status, await anonymous.json()]).toMatchObject([404, { code: 'PGRST126' }])
})

test('too many levels and too many columns are refused', async () => {
  const deep = await backend.ask(`/films?or=${'(and'.repeat(60)}(id.eq.1${')'.repeat(61)}`)
  expect([deep.status, await deep.json()]).toMatchObject([400, { code: 'PGRST100' }])
  const wide = await backend.ask(
    `/films?select=${Array.from({ length: 1700 }, () => 'id').join(',')}`,
  )
  expect([wide.status, await wide.json()]).toMatchObject([400, { code: 'PGRST100' }])
})
