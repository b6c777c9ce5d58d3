// Database connections can break at any time: the service returns 503, reconnects, and loses no acknowledged write.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'

let backend: TestBackend
let owner: pg.Client

beforeAll(async () => {
  backend = await startTestBackend({
    sql: `create table public.notes (id text primary key);
          create function public.wait_for_gate() returns int language sql as
            $$ select pg_advisory_xact_lock_shared(7); select 1 $$;`,
  })
  owner = new pg.Client({ connectionString: backend.superuserUrl, application_name: 'setup' })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await backend.close()
})

const OTHERS = `datname = current_database() and pid <> pg_backend_pid()`

async function terminateAll(): Promise<void> {
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS}`)
}

function send(path: string, init: { method?: string; body?: unknown; signedOut?: boolean } = {}) {
  return fetch(backend.url + path, {
    method: init.method ?? (init.body ? 'POST' : 'GET'),
    headers: { apikey: backend.secretKey, 'content-type': 'application/json' },
    body: init.body ? JSON.stringify(init.body) : undefined,
  })
}

test('when all connections are terminated repeatedly under load, requests get only 503 and no acknowledged row is lost', async () => {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  let done = false
  async function write(worker: number) {
    for (let count = 0; !done; count++) {
      const id = `${worker}-${count}`
      const response = await send('/rest/v1/notes', { body: { id } })
      statuses.add(response.status)
      if (response.status === 201) acknowledged.push(id)
      else expect(response.headers.get('retry-after')).toBe('1')
      await response.text()
    }
  }
  async function useTheOthers() {
    while (!done) {
      for (const path of ['/auth/v1/admin/users', '/storage/v1/bucket']) {
        const response = await send(path)
        statuses.add(response.status)
        await response.text()
      }
    }
  }
  const load = Promise.all([...Array.from({ length: 12 }, (_, w) => write(w)), useTheOthers()])
  for (let round = 1; round <= 12; round++) {
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20)
    await terminateAll()
  }
  done = true
  await load
  expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  const { rows } = await owner.query<{ id: string }>('select id from public.notes')
  const stored = new Set(rows.map(({ id }) => id))
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
})

test('a request in flight on a terminated connection gets 503 with Retry-After, and the next one succeeds', async () => {
  await owner.query('select pg_advisory_lock(7)')
  const waiting = send('/rest/v1/rpc/wait_for_gate', { body: {} })
  const isWaiting = `select count(*)::int from pg_stat_activity where ${OTHERS} and wait_event = 'advisory'`
  await expect
    .poll(async () => (await owner.query<{ count: number }>(isWaiting)).rows[0]?.count)
    .toBe(1)
  await terminateAll()
  const response = await waiting
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  await owner.query('select pg_advisory_unlock(7)')
  await expect.poll(async () => (await send('/rest/v1/notes?limit=1')).status).toBe(200)
})

test('after the listening connection was terminated repeatedly, notifications arrive again, once each', async () => {
  const received: string[] = []
  let reconnects = 0
  const stop = await backend.database.listener.listen(
    'loss_test',
    (payload) => received.push(payload),
    () => reconnects++,
  )
  for (let round = 1; round <= 3; round++) {
    await terminateAll()
    await expect.poll(() => reconnects).toBe(round)
  }
  await owner.query(`notify loss_test, 'here'`)
  await expect.poll(() => received).toEqual(['here'])
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where ${OTHERS} and application_name = 'listener'`,
  )
  expect(rows).toEqual([{ count: 1 }])
  stop()
})
