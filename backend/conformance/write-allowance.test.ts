import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LIMITS as HTTP_LIMITS } from '#http/limits.ts'
import { LIMITS } from '#rest/limits.ts'
import { sql } from './auth-people.ts'
import { startRestBackend, type RestBackend } from './rest-backend.ts'

const SQL = `
create table public.notes (id int generated always as identity primary key, words text, batch int);
grant select, insert, update on public.notes to authenticated;
create function public.size_of(words text) returns int language sql immutable as $$ select length(words) $$;
create function public.keep_all(ids int[]) returns int language sql volatile as $$ select cardinality(ids) $$;
create function public.keep(words text) returns int language sql volatile as $$ select length(words) $$;
`

let backend: RestBackend
beforeAll(async () => {
  backend = await startRestBackend({ sql: SQL })
})
afterAll(() => backend.close())

async function aMember() {
  const token = await backend.tokens.sign({ role: 'authenticated', sub: randomUUID() })
  return (path: string, body?: unknown, method = body ? 'POST' : 'GET') =>
    backend.send(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}

async function statusesUntilRefused(send: () => Promise<Response>, most: number) {
  for (let count = 0; count < most; count++) {
    const response = await send()
    if (!response.ok) return { count, response }
  }
  throw new Error('never refused')
}

test('a member who writes too many bytes in a minute waits; others go on, and reading goes on', async () => {
  const member = await aMember()
  const words = 'x'.repeat(900 * 1024)
  const { count, response } = await statusesUntilRefused(() => member('/notes', { words }), 20)
  expect(count).toBe(9)
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('60')
  expect(await response.json()).toMatchObject({ code: 'PGRSTX02' })
  expect((await member('/notes?select=id&limit=1')).status).toBe(200)
  const other = await aMember()
  expect((await other('/notes', { words })).status).toBe(201)
})

test('bodies count before they are parsed, of calls that write nothing or are refused, too; small ones do not', async () => {
  const member = await aMember()
  const words = 'x'.repeat(LIMITS.callBodyBytes - 100)
  const most = HTTP_LIMITS.sentBytesPerMinute / LIMITS.callBodyBytes
  const calls = [
    () => member('/rpc/size_of', { words }),
    () => member('/rpc/no_such_function', { words }),
  ]
  const statuses: number[] = []
  for (let count = 0; count <= most; count++) statuses.push((await calls[count % 2]!()).status)
  expect(statuses.slice(0, 2)).toEqual([200, 404])
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  const { response } = await statusesUntilRefused(calls[0]!, 1)
  expect(response.headers.get('retry-after')).toBe('60')
  expect(await response.json()).toMatchObject({ code: 'PGRSTX02' })
  expect((await member('/rpc/size_of', { words: 'x'.repeat(10_000) })).status).toBe(200)
  const other = await aMember()
  expect((await other('/rpc/size_of', { words })).status).toBe(200)
})

test('refusals that never reach the database are sent later once a session gets many; others go on at once', async () => {
  const [member, other] = [await aMember(), await aMember()]
  // All within one second.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000)
  const finished: string[] = []
  const ask = async (who: string, send: typeof member) => {
    const { status } = await send('/no_such_table')
    finished.push(`${who} ${status}`)
  }
  const many = Array.from({ length: HTTP_LIMITS.refusalsPerSecond + 10 }, () =>
    ask('member', member),
  )
  await Promise.all([...many, ask('other', other)])
  clock.mockRestore()
  expect(new Set(finished)).toEqual(new Set(['member 404', 'other 404']))
  expect(finished.indexOf('other 404')).toBeLessThan(finished.length - 5)
})

test('each row counts, however short', async () => {
  const member = await aMember()
  const rows = Array.from({ length: LIMITS.bodyRows }, () => ({ words: '' }))
  const { count } = await statusesUntilRefused(() => member('/notes', rows), 20)
  expect(count).toBe(8)
})

test('changes and calls count too', async () => {
  const member = await aMember()
  const words = 'x'.repeat(200 * 1024)
  const change = () => member('/notes?id=eq.0', { words }, 'PATCH')
  const call = () => member('/rpc/keep', { words })
  const { count } = await statusesUntilRefused(
    ((turn) => () => (turn++ % 2 ? change() : call()))(0),
    60,
  )
  expect(count).toBe(40)
})

test('a call counts each element of its lists', async () => {
  const member = await aMember()
  const ids = Array.from({ length: 6_000 }, () => 1)
  const { count } = await statusesUntilRefused(() => member('/rpc/keep_all', { ids }), 20)
  expect(count).toBe(5)
})

test('a form counts as its values', async () => {
  const token = await backend.tokens.sign({ role: 'authenticated', sub: randomUUID() })
  const send = () =>
    backend.send('/rpc/keep', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `words=${'x'.repeat(200 * 1024)}`,
    })
  const { count, response } = await statusesUntilRefused(send, 60)
  expect({ count, status: response.status }).toEqual({ count: 40, status: 429 })
})

test('an update counts each row it changes, and changes at most as many as a minute allows', async () => {
  await sql(
    backend,
    `insert into public.notes (batch) select n % 3 from generate_series(1, 1500) n`,
  )
  const words = 'x'.repeat(7 * 1024)
  const change = (member: Awaited<ReturnType<typeof aMember>>, filter: string) =>
    member(`/notes?batch=${filter}`, { words }, 'PATCH')
  const refused = await change(await aMember(), 'lt.3')
  expect({ status: refused.status, ...((await refused.json()) as object) }).toMatchObject({
    status: 400,
    code: 'PGRST124',
  })
  // 500 rows of 8 KiB are just under half of the allowance; a write is refused once it is used up.
  const other = await aMember()
  const { count, response } = await statusesUntilRefused(() => change(other, 'eq.1'), 5)
  expect({ count, status: response.status }).toEqual({ count: 3, status: 429 })
})

test('reading through functions counts nothing', async () => {
  const member = await aMember()
  const words = 'x'.repeat(200 * 1024)
  for (let call = 0; call < 45; call++)
    expect((await member('/rpc/size_of', { words })).status).toBe(200)
})

test('a refused change counts as one', async () => {
  const member = await aMember()
  for (let turn = 0; turn < 20; turn++)
    expect((await member('/notes?id=eq.0', { id: 1 }, 'PATCH')).status).toBe(400)
  expect((await member('/notes', { words: 'still' })).status).toBe(201)
})
