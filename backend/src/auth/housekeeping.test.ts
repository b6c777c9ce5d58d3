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

test('after a day, replaced tokens and dead links are gone, and nobody is signed out by it', async () => {
  const { client, email } = await aMember(backend)
  for (let time = 0; time < 4; time++) await client.auth.refreshSession()
  await client.auth.resetPasswordForEmail(email)
  const { refresh_token: lastKnown } = await sessionOf(client)
  await call(backend, '/token?grant_type=refresh_token', { body: { refresh_token: lastKnown } })

  backend.clock.advance(26 * 60 * 60_000)
  const database = backend.database.asService('auth', 'the test tidies up')
  const housekeeping = createHousekeeping(database, backend.clock, pino({ level: 'silent' }))
  await housekeeping.tidy()
  housekeeping.close()

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
