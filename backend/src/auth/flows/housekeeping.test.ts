import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  aClient,
  aMember,
  anAddress,
  aServer,
  call,
  PASSWORD,
  sessionOf,
  sql,
} from '../../../conformance/auth-people.ts'
import { aProtectedMember, enrolled } from '../../../conformance/auth-second-factor-people.ts'
import { startTestBackend, type TestBackend } from '../../../testing/start-test-backend.ts'
import { createHousekeeping } from './housekeeping.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

const HOUR_MS = 60 * 60_000

async function cleanUp() {
  const database = backend.database.asService('auth', 'runs housekeeping in a test')
  const housekeeping = createHousekeeping(database, backend.clock, pino({ level: 'silent' }))
  await housekeeping.cleanUp()
  housekeeping.close()
}

test('replaced tokens and expired links are deleted after a day, without signing anyone out', async () => {
  const { client, email } = await aMember(backend)
  for (let time = 0; time < 4; time++) await client.auth.refreshSession()
  await client.auth.resetPasswordForEmail(email)
  const { refresh_token: lastKnown } = await sessionOf(client)
  await call(backend, '/token?grant_type=refresh_token', { body: { refresh_token: lastKnown } })

  backend.clock.advance(26 * HOUR_MS)
  await cleanUp()

  const counts = await sql(
    backend,
    `select (select count(*)::int from auth.refresh_tokens) as tokens,
       (select count(*)::int from auth.one_time_tokens) as links,
       (select count(*)::int from auth.sessions) as sessions`,
  )
  expect(counts).toEqual([{ tokens: 2, links: 0, sessions: 1 }])
  // A client that never received the last response can still refresh.
  const { error } = await client.auth.refreshSession()
  expect(error).toBeNull()
})

test('audit log entries are kept for ninety days', async () => {
  await aMember(backend)
  const lines = () => sql(backend, `select from auth.audit_log_entries`)
  backend.clock.advance(89 * 24 * HOUR_MS)
  await aMember(backend)
  backend.clock.advance(2 * 24 * HOUR_MS)
  await cleanUp()
  expect(await lines()).not.toEqual([])
  const tooOld = new Date(backend.clock.now() - 90 * 24 * HOUR_MS).toISOString()
  expect(
    await sql(backend, `select from auth.audit_log_entries where created_at < '${tooOld}'`),
  ).toEqual([])
})

test('a sign-up unconfirmed for thirty days is deleted, an invitation is not', async () => {
  const [stranger, late, invited] = [anAddress(), anAddress(), anAddress()]
  await aClient(backend).auth.signUp({ email: stranger, password: PASSWORD })
  await aClient(backend).auth.signUp({ email: late, password: PASSWORD })
  await aServer(backend).auth.admin.inviteUserByEmail(invited)
  backend.clock.advance(29 * 24 * HOUR_MS)
  await aClient(backend).auth.signUp({ email: late, password: PASSWORD })
  backend.clock.advance(2 * 24 * HOUR_MS)
  await cleanUp()
  const found = await sql(
    backend,
    'select email from auth.users where email = any($1) order by created_at',
    [[stranger, late, invited]],
  )
  expect(found).toEqual([{ email: late }, { email: invited }])
})

test('a day later, challenges and unfinished set-ups are gone; a second factor stays', async () => {
  const protectedMember = await aProtectedMember(backend)
  const { client, id } = await aMember(backend)
  const { factorId } = await enrolled(client)
  await client.auth.mfa.challenge({ factorId })
  backend.clock.advance(25 * HOUR_MS)
  await cleanUp()
  const [left] = await sql(
    backend,
    `select (select count(*)::int from auth.mfa_challenges) as challenges,
       (select array_agg(id) from auth.mfa_factors where user_id in ($1, $2)) as factors`,
    [id, protectedMember.id],
  )
  expect(left).toEqual({ challenges: 0, factors: [protectedMember.factorId] })
})
