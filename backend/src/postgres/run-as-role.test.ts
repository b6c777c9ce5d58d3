import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'

let backend: TestBackend
const anon = { role: 'anon', claimsText: '{"role":"anon"}' }

beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create table public.notes (id int primary key, text text);
          create sequence public.calls;`,
  })
})
afterAll(() => backend.close())

test("a request runs with its caller's role and claims", async () => {
  const { rows } = await backend.database.runAs(anon, {
    text: `select current_user as role, current_setting('request.jwt.claims') as claims`,
  })
  expect(rows).toEqual([{ role: 'anon', claims: '{"role":"anon"}' }])
})

test('nothing of one caller leaks to the next on the same connection', async () => {
  const member = { role: 'authenticated', claimsText: '{"role":"authenticated","sub":"x"}' }
  const results = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const caller = index % 2 ? anon : member
      const { rows } = await backend.database.runAs(caller, {
        name: 'who_am_i',
        text: `select current_user as role, current_setting('request.jwt.claims') as claims`,
      })
      return { caller, row: rows[0] as unknown }
    }),
  )
  for (const { caller, row } of results) {
    expect(row).toEqual({ role: caller.role, claims: caller.claimsText })
  }
})

test('a failed statement rolls back its transaction and leaves the connection usable', async () => {
  const failing = backend.database.runAs(anon, {
    text: `with added as (insert into public.notes values (1, 'a') returning id) select 1 / (id - 1) from added`,
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  const { rows } = await backend.database.runAs(anon, { text: 'select count(*)::int from notes' })
  expect(rows).toEqual([{ count: 0 }])
})

test('a read-only request cannot write', async () => {
  const writing = backend.database.runAs(
    anon,
    { text: `insert into public.notes values (2, 'b')` },
    { readOnly: true },
  )
  await expect(writing).rejects.toMatchObject({ code: '25006' })
})

test('a rolled-back request returns its result and leaves no rows', async () => {
  const { rows } = await backend.database.runAs(
    anon,
    { text: `insert into public.notes values (3, 'c') returning id` },
    { rollback: true },
  )
  expect(rows).toEqual([{ id: 3 }])
  const { rows: left } = await backend.database.runAs(anon, {
    text: 'select id from notes where id = 3',
  })
  expect(left).toEqual([])
})

test('a role that is not granted to authenticator is refused', async () => {
  const asSuperuser = backend.database.runAs(
    { role: 'supabase_admin', claimsText: '{}' },
    { text: 'select 1' },
  )
  await expect(asSuperuser).rejects.toMatchObject({ code: '42501' })
})

test('requests succeed again after Postgres terminated the connections', async () => {
  await backend.database
    .asService('auth', 'the test terminates every connection')
    .query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'data-%' and datname = current_database()`,
    })
    .catch(() => undefined)
  await expect
    .poll(() =>
      backend.database.runAs(anon, { text: 'select 1 as one' }).then(
        ({ rows }): unknown => rows,
        () => 'failed',
      ),
    )
    .toEqual([{ one: 1 }])
})
