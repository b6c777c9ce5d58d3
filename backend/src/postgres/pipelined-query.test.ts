import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'

let backend: TestBackend
const anon = { role: 'anon', claimsText: '{"role":"anon"}' }
const member = { role: 'authenticated', claimsText: '{"role":"authenticated","sub":"x"}' }
const WHO = `select current_user, current_setting('request.jwt.claims'), current_setting('statement_timeout')`

beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create table public.notes (id int primary key, text text);
          create table public.later (id int references public.notes deferrable initially deferred);`,
  })
})
afterAll(() => backend.close())

test("a pipelined query runs with its caller's role, claims and settings and leaves none behind", async () => {
  const results = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const caller = index % 2 ? anon : member
      const settings = index % 3 ? { statement_timeout: `${index}s` } : undefined
      const [row] = await backend.database.rowsAs(caller, { name: 'who', text: WHO }, { settings })
      return { caller, settings, row }
    }),
  )
  for (const { caller, settings, row } of results) {
    expect(row?.slice(0, 2)).toEqual([caller.role, caller.claimsText])
    const timeout = settings ? Number.parseInt(settings.statement_timeout) : 8
    expect(row?.[2]).toBe(timeout % 60 ? `${timeout}s` : `${timeout / 60}min`.replace('0min', '0'))
  }
})

test('a pipelined query that fails in its statement or at commit leaves nothing behind', async () => {
  const text = `with added as (insert into public.notes values (1, 'a') returning id) select 1 / (id - 1) from added`
  await expect(backend.database.rowsAs(anon, { text })).rejects.toMatchObject({ code: '22012' })
  const deferred = backend.database.rowsAs(anon, { text: 'insert into public.later values (7)' })
  await expect(deferred).rejects.toMatchObject({ code: '23503' })
  const count = 'select (select count(*) from notes) + (select count(*) from later)'
  expect(await backend.database.rowsAs(anon, { text: count })).toEqual([['0']])
})

test('a read-only pipelined query cannot write', async () => {
  const writing = backend.database.rowsAs(
    anon,
    { text: `insert into public.notes values (2, 'b')` },
    { readOnly: true },
  )
  await expect(writing).rejects.toMatchObject({ code: '25006' })
  await backend.database.rowsAs(anon, { text: `insert into public.notes values (2, 'b')` })
})

test('a prepared statement that failed works later under the same name', async () => {
  const divide = (by: string) =>
    backend.database.rowsAs(anon, { name: 'divide', text: 'select 6 / $1::int', values: [by] })
  const results = await Promise.allSettled(['0', '3', '0', '2', '1', '0', '6', '3'].map(divide))
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value[0]?.[0] : 'failed')),
  ).toEqual(['failed', '2', 'failed', '3', '6', 'failed', '1', '2'])
})

test('a connection whose statements take too much memory is replaced', async () => {
  const connections = new Set<unknown>()
  for (let start = 0; start < 3_000; start += 50) {
    const rows = await Promise.all(
      Array.from({ length: 50 }, async (_, offset) => {
        const index = start + offset
        const caller = { ...member, claims: { sub: String(index) } }
        const text = `select ${index}, pg_backend_pid()`
        return (await backend.database.rowsAs(caller, { name: `many_${index}`, text }))[0]
      }),
    )
    rows.forEach((row, offset) => {
      expect(row?.[0]).toBe(String(start + offset))
      connections.add(row?.[1])
    })
  }
  expect(connections.size).toBeGreaterThan(4)
})

test('a request that cannot be sent ends its connection but does not mix up the responses of others', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) => {
      const broken = index % 10 === 5
      const values = [broken ? (index as unknown as string) : String(index)]
      return backend.database.rowsAs(member, { name: 'echo', text: 'select $1::text', values })
    }),
  )
  outcomes.forEach((outcome, index) => {
    if (outcome.status === 'fulfilled') expect(outcome.value).toEqual([[String(index)]])
  })
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(10)
  expect(outcomes[5]?.status).toBe('rejected')
  const after = await backend.database.rowsAs(member, { text: 'select 1' })
  expect(after).toEqual([['1']])
})
