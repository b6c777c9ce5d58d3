// What a thief with the password, a script or a slow clock may try on a second factor.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS, RATES } from '#auth/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { totpCode } from '../testing/totp-codes.ts'
import {
  aDevice,
  bearer,
  call,
  latestMail,
  openLink,
  PASSWORD,
  sessionOf,
  sql,
} from './auth-people.ts'
import {
  answer,
  aProtectedMember,
  assurance,
  aWrongCode,
  STEP_MS,
  type Protected,
} from './auth-second-factor-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend()
})
afterAll(() => backend.close())

const WRONG = { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' }

async function aChallenge(device: Protected['client'], factorId: string): Promise<string> {
  const { data, error } = await device.auth.mfa.challenge({ factorId })
  if (error) throw error
  return data.id
}

test.each([
  [-2, false],
  [-1, true],
  [0, true],
  [1, true],
  [2, false],
])('a code of %i steps away: accepted %s', async (steps, isAccepted) => {
  const member = await aProtectedMember(backend)
  const device = await aDevice(backend, member.email)
  // The step before the current one was spent on the set-up.
  backend.clock.advance(2 * STEP_MS)
  const { error } = await answer(backend, device, member, steps * STEP_MS)
  if (isAccepted) expect(error).toBeNull()
  else expect(error).toMatchObject(WRONG)
})

test('a code works once, on whatever device and challenge', async () => {
  const member = await aProtectedMember(backend)
  const [device, thief] = [
    await aDevice(backend, member.email),
    await aDevice(backend, member.email),
  ]
  const challengeId = await aChallenge(thief, member.factorId)
  const code = totpCode(member.secret, backend.clock.now())
  expect((await answer(backend, device, member)).error).toBeNull()
  // The thief's session ended with the owner's sign-in; a new one does not help either.
  const { factorId } = member
  const late = await thief.auth.mfa.verify({ factorId, challengeId, code })
  expect(late.error).not.toBeNull()
  const another = await aDevice(backend, member.email)
  expect((await another.auth.mfa.challengeAndVerify({ factorId, code })).error).toMatchObject(WRONG)
  expect((await assurance(another)).aal).toBe('aal1')
})

test('after a code, those of earlier steps are spent as well', async () => {
  const member = await aProtectedMember(backend)
  const device = await aDevice(backend, member.email)
  backend.clock.advance(STEP_MS)
  expect((await answer(backend, device, member, STEP_MS)).error).toBeNull()
  const another = await aDevice(backend, member.email)
  expect((await answer(backend, another, member)).error).toMatchObject(WRONG)
})

test.each([
  ['the', false],
  ['another', true],
])(
  'an access token that was stolen before %s code is good for nothing after it',
  async (_, hasShownOne) => {
    const member = await aProtectedMember(backend)
    const device = await aDevice(backend, member.email)
    if (hasShownOne) {
      expect((await answer(backend, device, member)).error).toBeNull()
      backend.clock.advance(STEP_MS)
    }
    const { access_token: stolen } = await sessionOf(device)
    expect((await answer(backend, device, member)).error).toBeNull()
    const attempts: [string, string, unknown?][] = [
      ['GET', '/sessions'],
      ['POST', '/logout?scope=local'],
      ['POST', '/logout?scope=others'],
      ['POST', '/factors', { factor_type: 'totp', friendly_name: 'Thief' }],
      ['PUT', '/user', { email: 'thief@example.com' }],
      ['PUT', '/user', { password: 'a thief’s password' }],
      ['PUT', '/user', { data: { locale: 'es' } }],
      ['DELETE', `/factors/${member.factorId}`],
    ]
    for (const [method, path, body] of attempts) {
      const { status } = await call(backend, path, { method, body, headers: bearer(stolen) })
      expect([401, 403, 422], path).toContain(status)
    }
    expect((await assurance(device)).aal).toBe('aal2')
    expect((await device.auth.refreshSession()).error).toBeNull()
  },
)

test('of ten devices that send one code at the same moment, one gets in', async () => {
  const member = await aProtectedMember(backend)
  const { factorId } = member
  const devices = await Promise.all(
    Array.from({ length: 10 }, () => aDevice(backend, member.email)),
  )
  const challenges = await Promise.all(devices.map((device) => aChallenge(device, factorId)))
  const code = totpCode(member.secret, backend.clock.now())
  const results = await Promise.all(
    devices.map((device, index) =>
      device.auth.mfa.verify({ factorId, challengeId: challenges[index] ?? '', code }),
    ),
  )
  expect(results.filter(({ error }) => !error)).toHaveLength(1)
})

test('a challenge is answered once, from the address that asked for it, within five minutes', async () => {
  const member = await aProtectedMember(backend)
  const { factorId, secret } = member
  const device = await aDevice(backend, member.email)
  const used = await aChallenge(device, factorId)
  const code = () => totpCode(secret, backend.clock.now())
  expect(
    (await device.auth.mfa.verify({ factorId, challengeId: used, code: code() })).error,
  ).toBeNull()
  backend.clock.advance(STEP_MS)
  const again = await device.auth.mfa.verify({ factorId, challengeId: used, code: code() })
  expect(again.error).toMatchObject({ status: 422, code: 'mfa_ip_address_mismatch' })

  const moved = await aChallenge(device, factorId)
  await sql(backend, `update auth.mfa_challenges set ip_address = '203.0.113.9' where id = $1`, [
    moved,
  ])
  const elsewhere = await device.auth.mfa.verify({ factorId, challengeId: moved, code: code() })
  expect(elsewhere.error).toMatchObject({ status: 422, code: 'mfa_ip_address_mismatch' })

  const old = await aChallenge(device, factorId)
  backend.clock.advance(LIMITS.challengeMs + 1_000)
  const late = await device.auth.mfa.verify({ factorId, challengeId: old, code: code() })
  expect(late.error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
})

test('a challenge takes a few wrong codes, then not even the right one', async () => {
  const member = await aProtectedMember(backend)
  const { factorId, secret } = member
  const device = await aDevice(backend, member.email)
  const challengeId = await aChallenge(device, factorId)
  const wrong = aWrongCode(backend, secret)
  const guesses = await Promise.all(
    Array.from({ length: LIMITS.guessesPerChallenge }, () =>
      device.auth.mfa.verify({ factorId, challengeId, code: wrong }),
    ),
  )
  for (const { error } of guesses) expect(error).toMatchObject(WRONG)
  const code = totpCode(secret, backend.clock.now())
  const { error } = await device.auth.mfa.verify({ factorId, challengeId, code })
  expect(error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
})

describe('codes tried', () => {
  let proxied: TestBackend
  beforeAll(async () => {
    proxied = await startTestBackend({ settings: { trustProxy: 1 } })
  })
  afterAll(() => proxied.close())

  /** The token of a sign-in with the password at an address. */
  async function aTokenAt(address: string, { email }: Protected) {
    const { json } = await call(proxied, '/token?grant_type=password', {
      body: { email, password: PASSWORD },
      headers: { 'x-forwarded-for': address },
    })
    return String(json.access_token)
  }

  /** @returns what tries a code with this token at an address */
  function triesWith(token: string, { factorId }: Protected, address: string) {
    const session = { 'x-forwarded-for': address, ...bearer(token) }
    return async (code: string) => {
      const challenge = await call(proxied, `/factors/${factorId}/challenge`, { headers: session })
      const body = { challenge_id: challenge.json.id, code }
      const { status } = await call(proxied, `/factors/${factorId}/verify`, {
        body,
        headers: session,
      })
      return status
    }
  }
  const aSession = async (member: Protected, address: string) =>
    triesWith(await aTokenAt(address, member), member, address)
  const codeOf = ({ secret }: Protected) => totpCode(secret, proxied.clock.now())

  /** Uses up what one session may try. */
  async function guessAll(tryCode: (code: string) => Promise<number>, wrong: string) {
    const tries = []
    for (let round = 0; round <= RATES.factorCode.count; round++) tries.push(await tryCode(wrong))
    return tries
  }
  const TEN_THEN_NONE = [...Array<number>(RATES.factorCode.count).fill(422), 429]

  test('in one session are limited, and refill; another session of the account has its own', async () => {
    const member = await aProtectedMember(proxied)
    const wrong = aWrongCode(proxied, member.secret)
    const thief = await aSession(member, '10.0.0.1')
    expect(await guessAll(thief, wrong)).toEqual(TEN_THEN_NONE)
    const owner = await aSession(member, '10.0.0.1')
    proxied.clock.advance((RATES.factorCode.seconds / RATES.factorCode.count) * 1000 + 1_000)
    expect(await thief(wrong)).toBe(422)
    expect(await owner(codeOf(member))).toBe(200)
  })

  test('elsewhere with a copied token use up none of its owner’s', async () => {
    const member = await aProtectedMember(proxied)
    const home = '10.5.0.1'
    const token = await aTokenAt(home, member)
    const thief = triesWith(token, member, '10.5.1.1')
    expect(await guessAll(thief, aWrongCode(proxied, member.secret))).toEqual(TEN_THEN_NONE)
    expect(await triesWith(token, member, home)(codeOf(member))).toBe(200)
  })

  test('at one address are limited, however many sessions there are', async () => {
    const member = await aProtectedMember(proxied)
    const wrong = aWrongCode(proxied, member.secret)
    for (let session = 0; session < 10; session++) {
      const tried = await guessAll(await aSession(member, '10.0.1.1'), wrong)
      expect(tried).toEqual(TEN_THEN_NONE)
      // Requests of any kind from the address have their own limit.
      if (session === 4) proxied.clock.advance(RATES.factor.seconds * 1000)
    }
    expect(await (await aSession(member, '10.0.1.1'))(wrong)).toBe(429)
  })

  test('from everywhere are limited, but not where the owner’s second factor was shown', async () => {
    const member = await aProtectedMember(proxied)
    const wrong = aWrongCode(proxied, member.secret)
    const home = '2001:db8:7:7::1'
    expect(await (await aSession(member, home))(codeOf(member))).toBe(200)
    proxied.clock.advance(STEP_MS)
    for (let place = 0; place < 10; place++) {
      const tried = await guessAll(await aSession(member, `10.2.${place}.1`), wrong)
      expect(tried).toEqual(TEN_THEN_NONE)
    }
    // A session that has only shown the password is no sign of the owner.
    const thief = await aSession(member, '10.3.0.1')
    expect(await thief(codeOf(member))).toBe(429)
    const owner = await aSession(member, '2001:db8:7:7:ffff::9')
    expect(await owner(wrong)).toBe(422)
    expect(await owner(codeOf(member))).toBe(200)
  })
})

/** As many sessions as an account may have, of somebody who signs in again and again in one network. */
const manySessions = (where: TestBackend, userId: string) =>
  sql<{ id: string }>(
    where,
    `insert into auth.sessions (id, user_id, created_at, updated_at, aal, ip)
     select gen_random_uuid(), $1, now() + interval '1 hour', now(), 'aal1', '10.6.0.7'
     from generate_series(1, $2) returning id`,
    [userId, LIMITS.sessionsPerAccount],
  )

test('signing in very often ends neither sessions with a second factor nor those of other networks', async () => {
  const proxied = await startTestBackend({ settings: { trustProxy: 1 } })
  try {
    const member = await aProtectedMember(proxied)
    const signIn = (address: string) =>
      call(proxied, '/token?grant_type=password', {
        body: { email: member.email, password: PASSWORD },
        headers: { 'x-forwarded-for': address },
      })
    const owner = await signIn('192.0.2.10')
    await manySessions(proxied, member.id)
    expect((await signIn('10.6.0.9')).status).toBe(200)
    const session = bearer(String(owner.json.access_token))
    const { status } = await call(proxied, '/user', { method: 'GET', headers: session })
    expect(status).toBe(200)
    expect((await member.client.auth.getUser()).error).toBeNull()
    const left = await sql(proxied, 'select from auth.sessions where user_id = $1', [member.id])
    expect(left).toHaveLength(LIMITS.sessionsPerAccount)
  } finally {
    await proxied.close()
  }
})

test('signing in from very many networks ends neither a session that a mailed link opened nor one where the second factor was shown', async () => {
  const proxied = await startTestBackend({ settings: { trustProxy: 1 } })
  try {
    const member = await aProtectedMember(proxied)
    const at = (address: string) => ({ 'x-forwarded-for': address })
    const signIn = (address: string) =>
      call(proxied, '/token?grant_type=password', {
        body: { email: member.email, password: PASSWORD },
        headers: at(address),
      })
    await sql(proxied, `update auth.sessions set ip = '192.0.2.1' where user_id = $1`, [member.id])
    const home = String((await signIn('192.0.2.9')).json.access_token)
    await call(proxied, '/recover', { body: { email: member.email }, headers: at('203.0.113.1') })
    const { fragment } = await openLink(latestMail(proxied, member.email).link)
    const mailed = fragment.get('access_token') ?? ''
    const elsewhere = String((await signIn('203.0.113.2')).json.access_token)
    await sql(
      proxied,
      `insert into auth.sessions (id, user_id, created_at, updated_at, aal, ip)
       select gen_random_uuid(), $1, now() + interval '1 hour', now(), 'aal1', '10.0.0.1'::inet + 256 * n
       from generate_series(1, $2) n`,
      [member.id, LIMITS.sessionsPerAccount],
    )
    expect((await signIn('198.51.100.1')).status).toBe(200)
    const read = async (token: string) =>
      (await call(proxied, '/user', { method: 'GET', headers: bearer(token) })).status
    expect([await read(home), await read(mailed), await read(elsewhere)]).toEqual([200, 200, 403])
  } finally {
    await proxied.close()
  }
})

test('a sign-in does not wait for another that is ending the same session', async () => {
  const { id, email } = await aProtectedMember(backend)
  await manySessions(backend, id)
  const other = new pg.Client({ connectionString: backend.superuserUrl })
  await other.connect()
  try {
    await other.query('begin')
    await other.query(`delete from auth.sessions where user_id = $1 and aal = 'aal1'`, [id])
    await aDevice(backend, email)
    await other.query('rollback')
  } finally {
    await other.end()
  }
})

test('correct codes are not counted', async () => {
  const member = await aProtectedMember(backend)
  for (let round = 0; round < RATES.factorCode.count + 2; round++) {
    expect((await answer(backend, member.client, member)).error).toBeNull()
    backend.clock.advance(STEP_MS)
  }
})

test('a factor removed while its code is on the way opens nothing', async () => {
  const member = await aProtectedMember(backend)
  const { factorId } = member
  const device = await aDevice(backend, member.email)
  const challengeId = await aChallenge(device, factorId)
  const code = totpCode(member.secret, backend.clock.now())
  const [verified] = await Promise.all([
    device.auth.mfa.verify({ factorId, challengeId, code }),
    member.client.auth.mfa.unenroll({ factorId }),
  ])
  await device.auth.refreshSession()
  const { aal } = await assurance(device)
  // Whichever came first, a session without a factor is aal1 afterwards.
  expect([verified.error?.code ?? 'accepted', aal]).toEqual([expect.any(String), 'aal1'])
})

test.each(['others', 'global'] as const)(
  'the password alone ends no session of the owner: scope %s',
  async (scope) => {
    const member = await aProtectedMember(backend)
    const thief = await aDevice(backend, member.email)
    const { access_token } = await sessionOf(thief)
    const refused = await call(backend, `/logout?scope=${scope}`, {
      body: {},
      headers: bearer(access_token),
    })
    expect([refused.status, refused.json.code]).toEqual([401, 'insufficient_aal'])
    expect((await member.client.auth.getUser()).error).toBeNull()
    expect((await thief.auth.signOut({ scope: 'local' })).error).toBeNull()
  },
)

test('a session that was ended cannot be raised', async () => {
  const member = await aProtectedMember(backend)
  const device = await aDevice(backend, member.email)
  const { access_token } = await sessionOf(device)
  const challengeId = await aChallenge(device, member.factorId)
  await device.auth.signOut({ scope: 'local' })
  const { status, json } = await call(backend, `/factors/${member.factorId}/verify`, {
    body: {
      challenge_id: challengeId,
      code: totpCode(member.secret, backend.clock.now()),
    },
    headers: bearer(access_token),
  })
  expect([status, json.code]).toEqual([403, 'session_not_found'])
})
