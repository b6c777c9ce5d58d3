// If configured, a stolen access token cannot keep the account's owner out: what would do that takes a token whose owner has just signed
// in or shown a second factor.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aClient, aDevice, aMember, bearer, call, sessionOf, type Person } from './auth-people.ts'
import {
  answer,
  aProtectedMember,
  aWrongCode,
  enrolled,
  STEP_MS,
} from './auth-second-factor-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ settings: { auth: { requireRecentProof: true } } })
})
afterAll(() => backend.close())

type Client = Person['client']
const REFUSED = { status: 400, code: 'reauthentication_needed' }
const isStale = () => backend.clock.advance(16 * 60_000)
const isOpen = async (client: Client) => (await client.auth.getUser()).error === null
const logOut = (client: Client, scope: 'others' | 'global' | 'local') =>
  client.auth.signOut({ scope })

/** A session of the account's that is a quarter of an hour old, and one that just began. */
async function staleAndFresh() {
  const person = await aMember(backend)
  isStale()
  return { ...person, stale: person.client, fresh: await aDevice(backend, person.email) }
}

test('a stale session sets up no second factor and removes none; a code or a new sign-in makes up for it', async () => {
  const { stale, fresh } = await staleAndFresh()
  const { error } = await stale.auth.mfa.enroll({ factorType: 'totp' })
  expect(error).toMatchObject(REFUSED)
  const factor = await enrolled(fresh)
  const { factorId } = factor
  expect((await stale.auth.mfa.unenroll({ factorId })).error).toMatchObject(REFUSED)
  expect((await answer(backend, fresh, factor)).error).toBeNull()
  isStale()
  expect((await fresh.auth.mfa.unenroll({ factorId })).error).toMatchObject(REFUSED)
  await answer(backend, fresh, factor)
  expect((await fresh.auth.mfa.unenroll({ factorId })).error).toBeNull()
})

test('a stale session does not end those of the last 15 minutes, one by one or all', async () => {
  const { stale, fresh } = await staleAndFresh()
  const { access_token } = await sessionOf(stale)
  const [, id] = /"session_id":"([^"]+)"/.exec(
    atob((await sessionOf(fresh)).access_token.split('.')[1]!),
  )!
  const one = await call(backend, `/sessions/${id}`, {
    method: 'DELETE',
    headers: bearer(access_token),
  })
  expect(one.status).toBe(400)
  for (const scope of ['others', 'global'] as const)
    expect((await logOut(stale, scope)).error).toMatchObject(REFUSED)
  expect(await isOpen(fresh)).toBe(true)
  expect((await logOut(fresh, 'others')).error).toBeNull()
  expect([await isOpen(fresh), await isOpen(stale)]).toEqual([true, false])
})

test('a stale session ends older ones, and always itself', async () => {
  const { stale, fresh } = await staleAndFresh()
  isStale()
  expect((await logOut(stale, 'others')).error).toBeNull()
  expect(await isOpen(fresh)).toBe(false)
  expect((await logOut(stale, 'local')).error).toBeNull()
})

test('a stale session does not end one that has just shown its code, however long ago it signed in', async () => {
  const owner = await aProtectedMember(backend)
  const stale = await aDevice(backend, owner.email)
  await answer(backend, stale, owner)
  isStale()
  await answer(backend, owner.client, owner)
  expect((await logOut(stale, 'others')).error).toMatchObject(REFUSED)
  expect(await isOpen(owner.client)).toBe(true)
})

test('a stale session does not end a new one that has yet to show its code', async () => {
  const owner = await aProtectedMember(backend)
  isStale()
  const fresh = await aDevice(backend, owner.email)
  expect((await logOut(owner.client, 'others')).error).toMatchObject(REFUSED)
  expect((await answer(backend, fresh, owner)).error).toBeNull()
})

test('with a second factor, a new password takes a code of the last 15 minutes, which leaves no copied token good', async () => {
  const { client, ...factor } = await aProtectedMember(backend)
  isStale()
  const copied = (await sessionOf(client)).refresh_token
  const change = () => client.auth.updateUser({ password: 'another long password' })
  expect((await change()).error).toMatchObject(REFUSED)
  expect((await answer(backend, client, factor)).error).toBeNull()
  expect((await change()).error).toBeNull()
  const thief = aClient(backend)
  expect((await thief.auth.refreshSession({ refresh_token: copied })).error).toMatchObject({
    code: 'refresh_token_not_found',
  })
  expect(await isOpen(client)).toBe(true)
})

test('a code that is shown in a session ends its older tokens', async () => {
  const owner = await aProtectedMember(backend)
  isStale()
  const { access_token: stolen } = await sessionOf(owner.client)
  expect((await answer(backend, owner.client, owner)).error).toBeNull()
  const remove = (token: string) =>
    call(backend, `/factors/${owner.factorId}`, { method: 'DELETE', headers: bearer(token) })
  expect((await remove(stolen)).status).toBe(401)
  expect((await remove((await sessionOf(owner.client)).access_token)).status).toBe(200)
})

test('the password alone removes no factor that the owner is setting up besides another', async () => {
  const owner = await aProtectedMember(backend)
  const thief = await aDevice(backend, owner.email)
  const { factorId } = await enrolled(owner.client, 'New phone')
  const { error } = await thief.auth.mfa.unenroll({ factorId })
  expect(error).toMatchObject({ code: 'insufficient_aal' })
})

test('wrong codes with a token from before the code use up none of those that its session has since', async () => {
  const person = await aProtectedMember(backend)
  const device = await aDevice(backend, person.email)
  const { access_token: before } = await sessionOf(device)
  expect((await answer(backend, device, person)).error).toBeNull()
  backend.clock.advance(STEP_MS)
  const post = (where: string, body: object) =>
    call(backend, `/factors/${person.factorId}/${where}`, { headers: bearer(before), body })
  const statuses = new Set<number>()
  for (let tries = 0; tries < 11; tries++) {
    const { id } = (await post('challenge', {})).json as { id: string }
    const code = aWrongCode(backend, person.secret)
    statuses.add((await post('verify', { challenge_id: id, code })).status)
  }
  expect([...statuses]).toEqual([422, 429])
  expect((await answer(backend, device, person)).error).toBeNull()
})

test('wrong codes for a factor that is being set up do not use up those of the account', async () => {
  const few = await startTestBackend({ settings: { auth: { rateLimitFactor: 0.02 } } })
  try {
    const { client: one, email } = await aMember(few)
    const [two, three] = [await aDevice(few, email), await aDevice(few, email)]
    for (const client of [one, two]) {
      const { factorId, secret } = await enrolled(client, randomUUID())
      const code = aWrongCode(few, secret)
      await client.auth.mfa.challengeAndVerify({ factorId, code })
      // So few requests are allowed from one address in five minutes, too.
      few.clock.advance(5 * 60_000)
    }
    expect((await answer(few, three, await enrolled(three))).error).toBeNull()
  } finally {
    await few.close()
  }
})
