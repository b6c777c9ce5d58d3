import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend()
})
afterAll(() => backend.close())

const accept = (type: string) => ({ headers: { accept: type } })

test('single returns one row as an object and fails on none or many', async () => {
  const one = await backend.db.from('films').select('id').eq('id', 1).single()
  expect(one.data).toEqual({ id: 1 })
  const none = await backend.db.from('films').select('id').eq('id', 99).single()
  expect(none).toMatchObject({
    status: 406,
    error: {
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 0 rows',
      hint: null,
    },
  })
  const many = await backend.db.from('films').select('id').single()
  expect(many.error).toMatchObject({ code: 'PGRST116', details: 'The result contains 5 rows' })
})

test('maybeSingle returns a row or null, and fails on many', async () => {
  expect((await backend.db.from('films').select('id').eq('id', 1).maybeSingle()).data).toEqual({
    id: 1,
  })
  expect(await backend.db.from('films').select('id').eq('id', 99).maybeSingle()).toMatchObject({
    data: null,
    error: null,
  })
  expect((await backend.db.from('films').select('id').maybeSingle()).error).toMatchObject({
    code: 'PGRST116',
  })
})

test('csv returns a header and the rows', async () => {
  const { data } = await backend.db
    .from('films')
    .select('id,title,facts->>kind')
    .lt('id', 4)
    .order('id')
    .csv()
  expect(data).toBe(
    'id,title,kind\n1,"A Quiet Field",drama\n2,"Blue, ""Bluer""",comedy\n3,"Città 100%",',
  )
  const response = await backend.send('/films?select=id&id=eq.1', accept('text/csv'))
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
})

test('stripNulls omits null fields in lists and objects', async () => {
  const list = await backend.db
    .from('films')
    .select('id,year')
    .gte('id', 4)
    .order('id')
    .stripNulls()
  expect(list.data).toEqual([{ id: 4, year: 2005 }, { id: 5 }])
  const one = await backend.db.from('films').select('id,year').eq('id', 5).single().stripNulls()
  expect(one.data).toEqual({ id: 5 })
})

test.each([
  ['application/json', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['text/html;q=0.9, application/json;q=0.5', 'application/json; charset=utf-8'],
  ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
  [
    'application/vnd.pgrst.array+json;nulls=stripped',
    'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
  ],
])('Accept %s returns %s', async (wanted, given) => {
  const response = await backend.send('/films?select=id&id=eq.1', accept(wanted))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, given])
})

test('an unavailable media type is rejected', async () => {
  const response = await backend.send('/films', accept('image/png'))
  expect([response.status, await response.json()]).toEqual([
    406,
    {
      code: 'PGRST107',
      message: 'None of these media types are available: image/png',
      details: null,
      hint: null,
    },
  ])
  const plain = await backend.send('/films', accept('text/plain'))
  expect(plain.status).toBe(406)
})

test('a scalar function can return plain text', async () => {
  const response = await backend.send('/rpc/say_hello?name=you', accept('text/plain'))
  expect([response.headers.get('content-type'), await response.text()]).toEqual([
    'text/plain; charset=utf-8',
    'Hello, you',
  ])
})

test('execution plans are not acceptable unless enabled', async () => {
  const off = await backend.db.from('films').select('id').explain()
  expect(off).toMatchObject({ status: 406, error: { code: 'PGRST107' } })
})

test('exact, planned and estimated counts work with and without rows', async () => {
  for (const count of ['exact', 'planned', 'estimated'] as const) {
    const { count: found, error } = await backend.db.from('studios').select('*', { count })
    expect(error).toBeNull()
    expect(found).toBeGreaterThan(0)
  }
  expect(
    await backend.db.from('films').select('*', { count: 'exact', head: true }).gt('id', 2),
  ).toMatchObject({ data: null, count: 3, status: 200 })
})

test.each([
  ['/films?select=id', {}, 200, '0-4/*'],
  ['/films?select=id&limit=2', {}, 200, '0-1/*'],
  ['/films?select=id&limit=2', { prefer: 'count=exact' }, 206, '0-1/5'],
  ['/films?select=id', { prefer: 'count=exact' }, 200, '0-4/5'],
  ['/films?select=id', { range: '1-2', prefer: 'count=exact' }, 206, '1-2/5'],
  ['/films?select=id', { range: '1-', 'range-unit': 'items' }, 200, '1-4/*'],
  ['/films?select=id&id=gt.99', { prefer: 'count=exact' }, 200, '*/0'],
  ['/films?select=id&offset=5', { prefer: 'count=exact' }, 206, '*/5'],
  ['/films?select=id&limit=0', {}, 200, '*/*'],
  ['/films?select=id&limit=3&offset=1', { range: '2-9' }, 200, '2-3/*'],
])('%s with %j returns %i and Content-Range %s', async (path, headers, status, range) => {
  const response = await backend.send(path, { headers: headers as Record<string, string> })
  expect([response.status, response.headers.get('content-range')]).toEqual([status, range])
})

test('an unsatisfiable range is rejected', async () => {
  const beyond = await backend.send('/films?offset=9', { headers: { prefer: 'count=exact' } })
  expect([beyond.status, await beyond.json()]).toEqual([
    416,
    {
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details: 'An offset of 9 was requested, but there are only 5 rows.',
      hint: null,
    },
  ])
  const upsideDown = await backend.send('/films', { headers: { range: '5-1' } })
  expect(await upsideDown.json()).toMatchObject({
    code: 'PGRST103',
    details:
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
  })
  const negative = await backend.send('/films?limit=-1')
  expect([negative.status, await negative.json()]).toMatchObject([
    416,
    { code: 'PGRST103', details: 'Limit should be greater than or equal to zero.' },
  ])
})

test('range() returns the rows in the range', async () => {
  const { data } = await backend.db.from('films').select('id').order('id').range(1, 2)
  expect(data).toEqual([{ id: 2 }, { id: 3 }])
})

test('strict handling rejects unknown preferences', async () => {
  const strict = await backend.send('/films', {
    headers: { prefer: 'handling=strict, anything=else' },
  })
  expect([strict.status, await strict.json()]).toEqual([
    400,
    {
      code: 'PGRST122',
      message: 'Invalid preferences given with handling=strict',
      details: 'Invalid preferences: anything=else',
      hint: null,
    },
  ])
  const lenient = await backend.send('/films', {
    headers: { prefer: 'handling=lenient, anything=else, timezone=Nowhere' },
  })
  expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([
    200,
    'handling=lenient',
  ])
})

test('the preferred time zone applies to timestamps', async () => {
  const response = await backend.send('/films?select=released&id=eq.2', {
    headers: { prefer: 'timezone=Asia/Tokyo' },
  })
  expect(await response.json()).toEqual([{ released: '1984-01-01T09:00:00+09:00' }])
})

test('tx=rollback is ignored unless allowed', async () => {
  const response = await backend.send('/keyless', {
    method: 'POST',
    body: '{"letter":"z"}',
    headers: { 'content-type': 'application/json', prefer: 'tx=rollback' },
  })
  expect([response.status, response.headers.get('preference-applied')]).toEqual([201, null])
})
