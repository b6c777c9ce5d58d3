// A name in a request is a column or a computed field; it never calls any other function of that name.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend()
})
afterAll(() => backend.close())

async function codeOf(path: string, init?: RequestInit) {
  const response = await backend.send(path, init)
  return [response.status, ((await response.json()) as { code?: string }).code]
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', prefer: 'return=representation', ...headers },
})

test.each([
  '/rpc/add_them?a=1&select=count',
  '/films?select=x:pg_column_size',
  '/films?select=text',
  '/films?select=row_to_json->title',
  '/films?select="*"::text',
  '/films?select=id&count=gt.0',
  '/films?select=id&pg_typeof=eq.films',
  '/films?select=id&or=(id.eq.1,count.gt.0)',
  '/films?select=id&order=count',
  '/films?select=id&order=row_to_json->title',
  '/films?select=id,directors!films_director_id_fkey(id)&order=directors(count)',
  '/films?select=id,roles(part)&roles.hash_record=gt.0',
  '/films?select=id,...directors!films_director_id_fkey(text)',
  '/rpc/add_them?a=1&select=pgrst_scalar,x:pg_sleep',
  '/rpc/add_them?a=1&select=int8',
  '/rpc/add_them?a=1&select=pgrst_scalar&order=abs',
  '/rpc/pairs?up_to=2&select=number&text=eq.1',
  '/rpc/two_numbers?select=text',
])('%s is rejected as an unknown column', async (path) => {
  expect(await codeOf(path)).toEqual([400, '42703'])
})

test.each([
  ['/studios?select=hash_record', post({ name: 'New' })],
  [
    '/studios?select=id&on_conflict=count',
    post({ name: 'New' }, { prefer: 'resolution=merge-duplicates' }),
  ],
  ['/films?count=gt.0', { ...post({ year: 1 }), method: 'PATCH' }],
  ['/films?count=gt.0', { method: 'DELETE' }],
  ['/films?id=eq.1&order=count', { ...post({ year: 1 }), method: 'PATCH' }],
])('a write to %s is rejected as well', async (path, init) => {
  expect(await codeOf(path, init)).toEqual([400, '42703'])
})

test('count, where no column has that name, is the number of rows, as on a hosted project', async () => {
  const read = async (path: string) => (await backend.send(path)).json()
  expect(await read('/films?select=count')).toEqual([{ count: 5 }])
  expect(await read('/films?select=n:count::text&year=is.null')).toEqual([{ n: '1' }])
  expect(
    await read('/directors?select=id,films!films_director_id_fkey(count)&id=lt.3&order=id'),
  ).toEqual([
    { id: 1, films: [{ count: 2 }] },
    { id: 2, films: [{ count: 1 }] },
  ])
  expect(await read('/films?select=id,directors!films_director_id_fkey(count)&id=eq.1')).toEqual([
    { id: 1, directors: { count: 1 } },
  ])
  expect(await read('/rpc/films_of?director=1&select=count')).toEqual([{ count: 2 }])
  const changed = { ...post({ year: 1971 }), method: 'PATCH' }
  expect(await (await backend.send('/films?id=eq.1&select=count', changed)).json()).toEqual([
    { count: 1 },
  ])
  expect(await read('/films?select=count()')).toMatchObject({ code: 'PGRST123' })
})

test('columns= and the body can only name columns', async () => {
  expect(await codeOf('/studios?columns=count', post({ count: 1 }))).toEqual([400, 'PGRST204'])
  expect(await codeOf('/studios', post({ count: 1 }))).toEqual([400, 'PGRST204'])
})

test('computed fields work in reads, writes, calls, filters and order', async () => {
  const names = async (path: string, init?: RequestInit) => (await backend.send(path, init)).json()
  expect(await names('/directors?select=full_name&full_name=eq.Ada Berg&order=full_name')).toEqual([
    { full_name: 'Ada Berg' },
  ])
  expect(
    await names('/films?select=director:directors!films_director_id_fkey(full_name)&id=eq.1'),
  ).toEqual([{ director: { full_name: 'Ada Berg' } }])
  const change = { ...post({ studio_id: 2 }), method: 'PATCH' }
  expect(await names('/directors?select=full_name,id&id=eq.4&order=full_name', change)).toEqual([
    { full_name: 'Finn Goss', id: 4 },
  ])
  const counted = { headers: { prefer: 'count=exact' } }
  expect(
    await names('/rpc/films_of?director=1&select=id,is_old&is_old=is.true&limit=1', counted),
  ).toEqual([{ id: 1, is_old: true }])
})

test('an alias may equal any name that the statement uses internally', async () => {
  const read = async (path: string, headers = {}) => (await backend.send(path, { headers })).text()
  const names = ['r', 't0', 'e1', 'h', 'f', 'rows', 'shown', 'body', 'k', 'v', 'c', 'm']
  for (const name of names) {
    expect(JSON.parse(await read(`/films?select=${name}:id,title&id=eq.1`))).toEqual([
      { [name]: 1, title: 'A Quiet Field' },
    ])
    expect(await read(`/films?select=${name}:id&id=eq.1`, { accept: 'text/csv' })).toBe(
      `${name}\n1`,
    )
    expect(JSON.parse(await read(`/films?select=id,roles(${name}:part)&id=eq.4`))).toEqual([
      { id: 4, roles: [{ [name]: 'Line' }] },
    ])
    expect(JSON.parse(await read(`/films?select=id,...roles(${name}:part)&id=eq.4`))).toEqual([
      { id: 4, [name]: ['Line'] },
    ])
    expect(
      JSON.parse(
        await read(
          `/films?select=id,${name}:directors!films_director_id_fkey(${name}:id)&id=eq.4&order=${name}(last_name)&${name}=not.is.null`,
        ),
      ),
    ).toEqual([{ id: 4, [name]: { [name]: 3 } }])
  }
  const nulls = await backend.send('/films?select=r:year&id=eq.5', {
    headers: { prefer: 'count=exact' },
  })
  expect([nulls.headers.get('content-range'), await nulls.json()]).toEqual(['0-0/1', [{ r: null }]])
  expect(await codeOf('/films?select="?rows":id')).toEqual([400, 'PGRST100'])
})
