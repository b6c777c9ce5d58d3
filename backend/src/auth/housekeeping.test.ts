import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHousekeeping } from './housekeeping.ts'
import { startTestBackend, type TestBackend } from '../../testing/start-test-backend.ts'
import { aMember, call, sessionOf, sql } from '../../conformance/auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

const HOUR_MS = 60 * 60_000

async function tidy() {
  const database = backend.database.asService('auth', 'the test tidies up')
  const housekeeping = createHousekeeping(database, backend.clock, pino({ level: 'silent' }))
  await housekeeping.tidy()
  housekeeping.close()
}

test('after a day, replaced tokens and dead links are gone, and nobody is signed out by it', async () => {
  const { client, email } = await aMember(backend)
  for (let time = 0; time < 4; time++) await client.auth.refreshSession()
  await client.auth.resetPasswordForEmail(email)
  const { refresh_token: lastKnown } = await sessionOf(client)
  await call(backend, '/token?grant_type=refresh_token', { body: { refresh_token: lastKnown } })

  backend.clock.advance(26 * HOUR_MS)
  await tidy()

  const counts = await sql(
    backend,
    `select (select count(*)::int from auth.refresh_tokens) as tokens,
       (select count(*)::int from auth.one_time_tokens) as links,
       (select count(*)::int from auth.sessions) as sessions`,
  )
  expect(counts).toEqual([{ tokens: 2, links: 0, sessions: 1 }])
  // The client that never got the last answer still finds its way back.
  const { error } = await client.auth.refreshSession()
  expect(error).toBeNull()
})

test('the audit log goes back ninety days', async () => {
  await aMember(backend)
  const lines = () => sql(backend, `select from auth.audit_log_entries`)
  backend.clock.advance(89 * 24 * HOUR_MS)
  await aMember(backend)
  backend.clock.advance(2 * 24 * HOUR_MS)
  await tidy()
  expect(await lines()).not.toEqual([])
  const tooOld = new Date(backend.clock.now() - 90 * 24 * HOUR_MS).toISOString()
  expect(
    await sql(backend, `select from auth.audit_log_entries where created_at < '${tooOld}'`),
  ).toEqual([])
})
