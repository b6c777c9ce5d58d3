import { get } from 'node:http'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

const SQL = `
create schema vault;
create table vault.rows (id int primary key, secret text not null, kind text check (kind <> 'bad'), span int4range,
  exclude using gist (span with &&));
create table public.film_detail_notes (id int primary key references vault.rows);
insert into vault.rows values (1, 'hush', 'good', '[1,10)');
create function public.spoil(kind text, secret text default 'hush') returns void
  language sql security definer as $$ update vault.rows set kind = spoil.kind, secret = spoil.secret $$;
create function public.collide(id int, span int4range default null) returns void
  language sql security definer as $$ insert into vault.rows values (id, 'hush hush', 'good', span) $$;
create function public.refuse_check() returns void
  language plpgsql as $$ begin raise exception using errcode = '23514', message = 'no', detail = 'on purpose'; end $$;
grant execute on function public.spoil, public.collide, public.refuse_check to anon;
`
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend({ sql: SQL, settings: { log } })
})
afterAll(() => backend.close())

test('an address that leads out of the API is an invalid path', async () => {
  const { port } = new URL(backend.url)
  const status = await new Promise((resolve, reject) => {
    const path = '/rest/v1/%2e%2e/?x=/rest/v1/films'
    const headers = { apikey: backend.publishableKey }
    get({ host: '127.0.0.1', port, path, headers }, ({ statusCode }) => resolve(statusCode)).on(
      'error',
      reject,
    )
  })
  expect(status).toBe(404)
})

test('the error for an unknown table suggests the closest name', async () => {
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
  ['/account', "Perhaps you meant the table 'public.accounts'"],
  ['/guard', null],
  ['/a', null],
  ['/rpc/add_the', 'Perhaps you meant to call the function public.add_them'],
  ['/rpc/add', null],
  ['/rpc/add_them?aa=1', 'Perhaps you meant to call the function public.add_them(a, b)'],
  ['/films?select=role(part)', "Perhaps you meant 'roles' instead of 'role'."],
  ['/film_detail?select=films(id)', "Perhaps you meant the table 'public.film_details'"],
  ['/film_detail_notes?select=nothing(id)', null],
])('%s gets the hint %s', async (path, hint) => {
  expect(await (await backend.send(path)).json()).toMatchObject({ hint })
})

test.each([
  [
    '/films?id=noop.0',
    '"failed to parse filter (noop.0)" (line 1, column 1)',
    'unexpected "o" expecting "not" or operator (eq, gt, ...)',
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
    '"failed to parse order (id.up)" (line 1, column 4)',
    'unexpected "u" expecting "asc", "desc", "nullsfirst" or "nullslast"',
  ],
  [
    '/films?order=id.descc',
    '"failed to parse order (id.descc)" (line 1, column 8)',
    `unexpected 'c' expecting delimiter (.), "," or end of input`,
  ],
  [
    '/films?order=id.asc.nlsfst',
    '"failed to parse order (id.asc.nlsfst)" (line 1, column 8)',
    'unexpected "l" expecting "nullsfirst" or "nullslast"',
  ],
  [
    '/films?order=id.asc.nullslasttt',
    '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
    `unexpected 't' expecting "," or end of input`,
  ],
  [
    '/films?select=facts->>--34',
    '"failed to parse select parameter (facts->>--34)" (line 1, column 10)',
    'unexpected "-" expecting digit',
  ],
  [
    '/films?select=facts->(a',
    '"failed to parse select parameter (facts->(a)" (line 1, column 8)',
    'unexpected "(" expecting "-", digit or any non reserved character different from: .,>()',
  ],
  [
    '/films?or=()',
    '"failed to parse logic tree (())" (line 1, column 4)',
    'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
  ],
])('%s cannot be parsed, and the error states the position', async (path, message, details) => {
  const response = await backend.send(path)
  expect([response.status, await response.json()]).toEqual([
    400,
    { code: 'PGRST100', message, details, hint: null },
  ])
})

test.each([
  ['/films?id=eq.abc', 400, '22P02'],
  ['/films?nothing=eq.1', 400, '42703'],
  ['/films?select=nothing', 400, '42703'],
  ['/films?select=ctid', 400, '42703'],
  ['/films?select=id::nothing', 400, '42704'],
  ['/films?title=match.*(', 400, '2201B'],
  ['/films?id=like.1', 404, '42883'],
  ['/films?id=eq.99999999999999999999', 400, '22003'],
  ['/films?tags=cs.notalist', 400, '22P02'],
  ['/films?title=fts(nothing).x', 400, '42704'],
  ['/films?title=eq.%00', 400, '22021'],
])('Postgres rejects %s: %i %s', async (path, status, code) => {
  const response = await backend.send(path)
  expect([response.status, await response.json()]).toMatchObject([status, { code }])
})

test('grants and policies decide what an anonymous caller reads and writes', async () => {
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

test('unknown paths and methods are rejected', async () => {
  const deep = await backend.send('/films/1')
  expect([deep.status, await deep.json()]).toMatchObject([404, { code: 'PGRST125' }])
  const method = await backend.send('/films', { method: 'PROPFIND' }).catch(() => null)
  if (method) expect(method.status).toBeGreaterThanOrEqual(400)
})

test('aggregates are rejected unless enabled', async () => {
  expect((await backend.db.from('films').select('year.max()')).error).toMatchObject({
    code: 'PGRST123',
  })
})

test('the error for an unknown schema lists the exposed ones', async () => {
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

test('the schema description requires the secret key', async () => {
  const anonymous = await backend.send('/')
  expect([anonymous.status, await anonymous.json()]).toMatchObject([404, { code: 'PGRST126' }])
})

test('too many levels and too many columns are rejected', async () => {
  const deep = await backend.send(`/films?or=${'(and'.repeat(60)}(id.eq.1${')'.repeat(61)}`)
  expect([deep.status, await deep.json()]).toMatchObject([400, { code: 'PGRST100' }])
  const wide = await backend.send(
    `/films?select=${Array.from({ length: 1700 }, () => 'id').join(',')}`,
  )
  expect([wide.status, await wide.json()]).toMatchObject([400, { code: 'PGRST100' }])
})

test('no error shows a row, in its details or in the log', async () => {
  const refused = await Promise.all([
    backend.db.rpc('spoil', { kind: 'bad' }),
    backend.db.rpc('spoil', { kind: 'good', secret: null }),
    backend.db.rpc('collide', { id: 1 }),
    backend.db.rpc('collide', { id: 2, span: '[5,6)' }),
    backend.db.from('accounts').insert({ id: 77, mail: null, visits: null }),
  ])
  expect(refused.map(({ error }) => [error?.code, error?.details])).toEqual([
    ['23514', null],
    ['23502', null],
    ['23505', null],
    ['23P01', null],
    ['23502', null],
  ])
  expect(lines.join('')).not.toMatch(/hush|Failing row/)
})

test("details of the caller's own statement, raised details, and details for the secret key are kept", async () => {
  const own = await backend.db.from('studios').insert({ id: 1, name: 'Again' })
  expect(own.error?.details).toBe('Key (id)=(1) already exists.')
  expect((await backend.db.rpc('refuse_check')).error?.details).toBe('on purpose')
  const trusted = await backend.service.rpc('spoil', { kind: 'bad' })
  expect(trusted.error?.details).toContain('Failing row contains')
})
