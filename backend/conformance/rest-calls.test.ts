// How arguments reach functions of unusual signatures, and which functions can be called at all.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

const SQL = `
  create function public.letters(code character) returns text language sql immutable as $$ select code::text $$;
  create function public.long_letters(code character(3)) returns text language sql immutable as $$ select code::text $$;
  create function public.bits(code bit) returns text language sql immutable as $$ select code::text $$;
  create function public.many_letters(codes character[]) returns text language sql immutable as $$ select array_to_string(codes, '|') $$;
  create function public.many_bits(codes bit[]) returns text language sql immutable as $$ select array_to_string(codes, '|') $$;

  create function public.unnamed_pair(int, int) returns int language sql immutable as $$ select $1 + $2 $$;
  create function public.isolation() returns text language sql set default_transaction_isolation = 'serializable'
    as $$ select current_setting('transaction_isolation') $$;
  create function public.unnamed_words(text) returns text language sql immutable as $$ select $1 $$;
  create function public.unnamed_json(json) returns json language sql immutable as $$ select $1 $$;
  create function public.unnamed_number(int) returns int language sql immutable as $$ select $1 $$;
  create function public.named_json(body json) returns json language sql immutable as $$ select body $$;
  create function public.mixed(int, named int default 1) returns int language sql immutable as $$ select $1 + named $$;
  create function public.either() returns text language sql immutable as $$ select 'nothing' $$;
  create function public.either(json) returns text language sql immutable as $$ select 'json' $$;
  create function public.either(text) returns text language sql immutable as $$ select 'text' $$;
  create function public.either(int, int) returns text language sql immutable as $$ select 'unnamed' $$;
  create function public.either(x int) returns text language sql immutable as $$ select 'named' $$;
  create function public.json_or_jsonb(json) returns text language sql immutable as $$ select 'json' $$;
  create function public.json_or_jsonb(jsonb) returns text language sql immutable as $$ select 'jsonb' $$;

  create function public.any_record() returns record language sql immutable as $$ select 1 as id, 'a'::text as name $$;
  create function public.record_of(id int, name text) returns record language sql immutable as $$ select id, name $$;
  create function public.records() returns setof record language sql immutable as $$ select n as id, 'x'::text as name from generate_series(1, 3) n $$;
  create function public.records_to(up_to int) returns setof record language sql immutable as $$ select n as id from generate_series(1, up_to) n $$;
`

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend({ sql: SQL })
})
afterAll(() => backend.close())

async function call(name: string, body: unknown, contentType = 'application/json') {
  const response = await backend.send(`/rpc/${name}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': contentType },
  })
  return [response.status, await response.json()] as const
}

async function get(path: string): Promise<unknown> {
  return (await backend.send(path)).json()
}

test('character and bit parameters receive the whole value', async () => {
  expect(await call('letters', { code: 'abc' })).toEqual([200, 'abc'])
  expect(await get('/rpc/letters?code=abc')).toBe('abc')
  expect(await call('long_letters', { code: 'abcdef' })).toEqual([200, 'abcdef'])
  expect(await call('bits', { code: '1011' })).toEqual([200, '1011'])
  expect(await get('/rpc/bits?code=1011')).toBe('1011')
  expect(await call('many_letters', { codes: ['abc', 'de'] })).toEqual([200, 'abc|de'])
  expect(await call('many_bits', { codes: ['101', '01'] })).toEqual([200, '101|01'])
})

test.each(['unnamed_pair', 'unnamed_number', 'mixed', 'full_name'])(
  '%s cannot be called, because its parameters have no names',
  async (name) => {
    const [status, error] = await call(name, {})
    expect([status, error]).toMatchObject([404, { code: 'PGRST202' }])
  },
)

test('the isolation that a function sets has no effect on its own transaction', async () => {
  expect(await get('/rpc/isolation')).toBe('read committed')
})

test('the empty name stands for an unnamed parameter, which takes the whole body', async () => {
  expect(await call('unnamed_words', { '': 'a' })).toEqual([200, '{"":"a"}'])
  expect(await call('unnamed_json', { '': 1 })).toEqual([200, { '': 1 }])
  expect(await call('unnamed_number', { '': 1 })).toMatchObject([404, { code: 'PGRST202' }])
  expect(await call('named_json', { '': 1 })).toMatchObject([404, { code: 'PGRST202' }])
  expect(await get('/rpc/unnamed_words?=a')).toMatchObject({ code: 'PGRST202' })
})

test('functions without names for their parameters are no candidates among overloads', async () => {
  expect(await call('either', {})).toEqual([200, 'nothing'])
  expect(await call('either', { x: 1 })).toEqual([200, 'named'])
  expect(await call('either', { other: 1 })).toEqual([200, 'json'])
  expect(await call('either', 'plain', 'text/plain')).toEqual([200, 'text'])
  expect(await get('/rpc/either?x=1')).toBe('named')
  expect(await get('/rpc/either')).toBe('nothing')
})

test('ambiguous functions are listed by the number and names of their parameters', async () => {
  expect(await call('json_or_jsonb', { a: 1 })).toMatchObject([
    300,
    {
      code: 'PGRST203',
      message:
        'Could not choose the best candidate function between: public.json_or_jsonb( => json), public.json_or_jsonb( => jsonb)',
    },
  ])
})

test('a named json parameter does not take the whole body', async () => {
  expect(await call('named_json', { body: { a: 1 } })).toEqual([200, { a: 1 }])
  expect(await call('named_json', { a: 1, b: 2 })).toMatchObject([
    404,
    {
      code: 'PGRST202',
      details:
        'Searched for the function public.named_json with parameters a, b or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    },
  ])
})

test('functions that return records of unknown columns return them as objects', async () => {
  expect(await call('any_record', {})).toEqual([200, { id: 1, name: 'a' }])
  expect(await get('/rpc/any_record')).toEqual({ id: 1, name: 'a' })
  expect(await call('record_of', { id: 5, name: 'b' })).toMatchObject([200, {}])
  expect(await call('records', {})).toEqual([
    200,
    [
      { id: 1, name: 'x' },
      { id: 2, name: 'x' },
      { id: 3, name: 'x' },
    ],
  ])
  expect(await get('/rpc/records_to?up_to=2')).toEqual([{ id: 1 }, { id: 2 }])
  const counted = await backend.send('/rpc/records_to?up_to=5&limit=2', {
    headers: { prefer: 'count=exact' },
  })
  expect([counted.headers.get('content-range'), await counted.json()]).toEqual([
    '0-1/5',
    [{ id: 1 }, { id: 2 }],
  ])
})

test('an empty select returns all columns, also from calls and writes', async () => {
  const all = await get('/actors?id=eq.1')
  expect(await get('/actors?select=&id=eq.1')).toEqual(all)
  expect(await get('/rpc/pairs?up_to=1&select=')).toEqual([{ number: 1, square: 1 }])
  expect(await get('/films?select=id,roles(),directors!director_id()&id=eq.1')).toEqual([{ id: 1 }])
  const written = await backend.send('/studios?select=', {
    method: 'POST',
    body: JSON.stringify({ id: 90, name: 'New' }),
    headers: { 'content-type': 'application/json', prefer: 'return=representation' },
  })
  expect(await written.json()).toEqual([{ id: 90, name: 'New' }])
})
