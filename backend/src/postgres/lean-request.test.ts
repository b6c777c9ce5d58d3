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

test('a lean request runs under the role, claims and settings of its caller, and leaves none of them', async () => {
  const seen = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const caller = index % 2 ? anon : member
      const settings = index % 3 ? { statement_timeout: `${index}s` } : undefined
      const [row] = await backend.database.rowsAs(caller, { name: 'who', text: WHO }, { settings })
      return { caller, settings, row }
    }),
  )
  for (const { caller, settings, row } of seen) {
    expect(row?.slice(0, 2)).toEqual([caller.role, caller.claimsText])
    const timeout = settings ? Number.parseInt(settings.statement_timeout) : 8
    expect(row?.[2]).toBe(timeout % 60 ? `${timeout}s` : `${timeout / 60}min`.replace('0min', '0'))
  }
})

test('a lean request that fails leaves nothing behind, at once or at its end', async () => {
  const text = `with added as (insert into public.notes values (1, 'a') returning id) select 1 / (id - 1) from added`
  await expect(backend.database.rowsAs(anon, { text })).rejects.toMatchObject({ code: '22012' })
  const deferred = backend.database.rowsAs(anon, { text: 'insert into public.later values (7)' })
  await expect(deferred).rejects.toMatchObject({ code: '23503' })
  const count = 'select (select count(*) from notes) + (select count(*) from later)'
  expect(await backend.database.rowsAs(anon, { text: count })).toEqual([['0']])
})

test('a read-only lean request cannot write', async () => {
  const writing = backend.database.rowsAs(
    anon,
    { text: `insert into public.notes values (2, 'b')` },
    { readOnly: true },
  )
  await expect(writing).rejects.toMatchObject({ code: '25006' })
  await backend.database.rowsAs(anon, { text: `insert into public.notes values (2, 'b')` })
})

test('a statement that failed under its name works under it later', async () => {
  const divide = (by: string) =>
    backend.database.rowsAs(anon, { name: 'divide', text: 'select 6 / $1::int', values: [by] })
  const results = await Promise.allSettled(['0', '3', '0', '2', '1', '0', '6', '3'].map(divide))
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value[0]?.[0] : 'failed')),
  ).toEqual(['failed', '2', 'failed', '3', '6', 'failed', '1', '2'])
})

test('more statements than a connection may keep are prepared on fresh ones', async () => {
  const run = (index: number) =>
    backend.database.rowsAs(anon, { name: `many_${index}`, text: `select ${index}` })
  for (let start = 0; start < 6_000; start += 50) {
    const rows = await Promise.all(Array.from({ length: 50 }, (_, offset) => run(start + offset)))
    expect(rows[0]).toEqual([[String(start)]])
  }
})
