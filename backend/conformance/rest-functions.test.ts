import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend()
})
afterAll(() => backend.close())

const rpc = async (name: string, args?: object, options?: object) => {
  const { data, error, status } = (await backend.db.rpc(name, args, options)) as {
    data: unknown
    error: unknown
    status: number
  }
  return error ? { error, status } : { data, status }
}

test('arguments are passed by name, and defaults apply', async () => {
  expect(await rpc('add_them', { a: 1, b: 2 })).toEqual({ data: 3, status: 200 })
  expect(await rpc('add_them', { a: 1 })).toEqual({ data: 11, status: 200 })
  expect(await rpc('add_them', { a: 1, b: 2 }, { get: true })).toEqual({ data: 3, status: 200 })
  expect(await rpc('say_hello', { name: 'a"b\'c\\' })).toEqual({
    data: 'Hello, a"b\'c\\',
    status: 200,
  })
})

test('a function can return a value, rows, one row or nothing', async () => {
  expect(await rpc('film_titles')).toMatchObject({
    data: ['A Quiet Field', 'Blue, "Bluer"', 'Città 100%', 'Under_score', 'Lost'],
  })
  expect(await rpc('pairs', { up_to: 2 })).toMatchObject({
    data: [
      { number: 1, square: 1 },
      { number: 2, square: 4 },
    ],
  })
  expect(await rpc('two_numbers')).toMatchObject({ data: { low: 1, high: 9 } })
  expect(await rpc('one_film', { id: 3 })).toMatchObject({ data: { id: 3, title: 'Città 100%' } })
  expect(await rpc('do_nothing')).toEqual({ data: null, status: 204 })
})

test('arrays and JSON are passed to a function unchanged', async () => {
  expect(await rpc('sum_array', { numbers: [1, 2, 3] })).toMatchObject({ data: 6 })
  expect(await rpc('sum_array', { numbers: [1, 2, 3] }, { get: true })).toMatchObject({ data: 6 })
  expect(await rpc('count_all', { numbers: [1, 2, 3] })).toMatchObject({ data: 6 })
  expect(await rpc('echo_json', { any: { thing: [1, null] } })).toMatchObject({
    data: { any: { thing: [1, null] } },
  })
  const repeated = await backend.send('/rpc/count_all?numbers=4&numbers=5')
  expect(await repeated.json()).toBe(9)
})

test('a single unnamed parameter receives a text or binary body', async () => {
  const text = await backend.send('/rpc/echo_text', {
    method: 'POST',
    body: 'plain words',
    headers: { 'content-type': 'text/plain', accept: 'text/plain' },
  })
  expect([text.headers.get('content-type'), await text.text()]).toEqual([
    'text/plain; charset=utf-8',
    'plain words',
  ])
  const bytes = await backend.send('/rpc/echo_bytes', {
    method: 'POST',
    body: Buffer.from([0, 255, 10]),
    headers: { 'content-type': 'application/octet-stream', accept: 'application/octet-stream' },
  })
  expect(Buffer.from(await bytes.arrayBuffer())).toEqual(Buffer.from([0, 255, 10]))
})

test('rows of a function can be filtered, ordered, limited, counted and embedded', async () => {
  const { data, error, count } = await backend.db
    .rpc('films_of', { director: 1 }, { count: 'exact' })
    .select('title,director:directors!films_director_id_fkey(first_name),roles(part),is_old')
    .gt('year', 1900)
    .order('year', { ascending: false })
    .limit(1)
  expect(error).toBeNull()
  expect(data).toEqual([
    {
      title: 'Blue, "Bluer"',
      director: { first_name: 'Ada' },
      roles: [{ part: 'Painter' }],
      is_old: false,
    },
  ])
  expect(count).toBe(2)
})

test('GET cannot write, POST can', async () => {
  expect(await rpc('visit', { account: 1 }, { get: true })).toMatchObject({
    status: 405,
    error: { code: '25006' },
  })
  expect(await rpc('visit', { account: 1 })).toEqual({ data: 1, status: 200 })
})

test('a call with count and limit runs the function once', async () => {
  const before = await rpc('visit', { account: 1 })
  await backend.db.rpc('visit_all', {}, { count: 'exact' }).limit(1)
  const after = await rpc('visit', { account: 1 })
  expect(Number(after.data) - Number(before.data)).toBe(2)
})

test('HEAD returns the count without a body', async () => {
  const { data, count, error } = (await backend.db.rpc(
    'films_of',
    { director: 1 },
    { head: true, count: 'exact' },
  )) as { data: unknown; count: number | null; error: unknown }
  expect({ data, count, error }).toEqual({ data: null, count: 2, error: null })
})

test('overloads are resolved by argument names, and ambiguous ones are an error', async () => {
  expect(await rpc('overloaded', { a: 1 })).toMatchObject({ data: 'one' })
  expect(await rpc('overloaded', { a: 1, b: 1 })).toMatchObject({ data: 'two' })
  expect(await rpc('twins', { a: 1 })).toMatchObject({ status: 300, error: { code: 'PGRST203' } })
})

test('the error for a misspelled function or argument has a suggestion', async () => {
  expect(await rpc('say_helo', { name: 'x' })).toEqual({
    status: 404,
    error: {
      code: 'PGRST202',
      message: 'Could not find the function public.say_helo(name) in the schema cache',
      details:
        'Searched for the function public.say_helo with parameter name or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.say_hello',
    },
  })
  expect(await rpc('say_hello', { nam: 'x' })).toMatchObject({
    error: { hint: 'Perhaps you meant to call the function public.say_hello(name)' },
  })
})

test('an error that a function raises determines the status', async () => {
  expect(await rpc('refuse', { code: 'P0001' })).toEqual({
    status: 400,
    error: { code: 'P0001', message: 'refused', details: 'because', hint: 'ask again' },
  })
  expect(await rpc('refuse', { code: 'PT402' })).toMatchObject({ status: 402 })
  expect(await rpc('refuse', { code: '42501' })).toMatchObject({ status: 401 })
  expect(await rpc('raise_reply')).toEqual({
    status: 402,
    error: { code: '123', message: 'Payment Required', details: 'Quota exceeded', hint: 'Upgrade' },
  })
})

test('a function can set status and headers of the response', async () => {
  const response = await backend.send('/rpc/custom_reply')
  expect([
    response.status,
    response.headers.get('x-tea'),
    response.headers.get('cache-control'),
    await response.json(),
  ]).toEqual([418, 'green', 'no-store', { short: 'stout' }])
})

test('a function sees the role, the headers and the time zone of the request', async () => {
  expect(await rpc('who')).toMatchObject({ data: 'anon' })
  expect((await backend.service.rpc('who')).data).toBe('service_role')
  const header = await backend.send('/rpc/request_header?name=x-shade', {
    headers: { 'x-shade': 'blue' },
  })
  expect(await header.json()).toBe('blue')
  const zone = await backend.send('/rpc/current_zone', {
    headers: { prefer: 'timezone=America/Los_Angeles' },
  })
  expect([await zone.json(), zone.headers.get('preference-applied')]).toEqual([
    'America/Los_Angeles',
    'timezone=America/Los_Angeles',
  ])
})

test('unsupported methods on functions are rejected', async () => {
  const response = await backend.send('/rpc/add_them', { method: 'DELETE' })
  expect([response.status, await response.json()]).toMatchObject([
    405,
    { code: 'PGRST101', message: 'Cannot use the DELETE method on RPC' },
  ])
})
