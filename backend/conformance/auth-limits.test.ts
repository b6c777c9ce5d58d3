// Rate limits. Client addresses come from X-Forwarded-For, as behind a proxy.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS, RATES } from '#auth/limits.ts'
import { makeInstallationKeys } from '../src/http/installation-keys.ts'
import { startBackend } from '../src/gateway/start-backend.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { TEST_PASSWORD } from '../testing/passwords.ts'
import {
  aClient,
  aMember,
  anAddress,
  aServer,
  bearer,
  call,
  latestMail,
  openLink,
  PASSWORD,
  sessionOf,
  sql,
} from './auth-people.ts'

let backend: TestBackend
beforeEach(async () => {
  backend = await startTestBackend({
    settings: { trustProxy: 1, auth: { minResponseMilliseconds: 0, mailsShowCode: true } },
  })
})
afterEach(() => backend.close())

const from = (address: string) => ({ 'x-forwarded-for': address })
const signIn = (email: string, password: string, address = '10.0.0.1') =>
  call(backend, '/token?grant_type=password', { body: { email, password }, headers: from(address) })

test('after ten wrong passwords from one address, even the correct one is rejected', async () => {
  const { email } = await aMember(backend)
  for (let guess = 0; guess < 10; guess++) {
    expect((await signIn(email, `guess ${guess}`)).status).toBe(400)
  }
  const { status, json, headers } = await signIn(email, PASSWORD)
  expect(status).toBe(429)
  expect(json).toEqual({ code: 'over_request_rate_limit', message: 'Request rate limit reached' })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await signIn(email, PASSWORD, '10.0.0.2')).status).toBe(200)
  backend.clock.advance(31_000)
  expect((await signIn(email, PASSWORD)).status).toBe(200)
})

test('concurrent password guesses are counted before they are checked', async () => {
  const { email } = await aMember(backend)
  const guesses = Array.from({ length: 30 }, (_, guess) => signIn(email, `guess ${guess}`))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
})

test('correct passwords are not counted', async () => {
  const { email } = await aMember(backend)
  for (let time = 0; time < 15; time++) {
    expect((await signIn(email, PASSWORD)).status).toBe(200)
  }
})

test('guessing is equally limited for an address without an account', async () => {
  const email = anAddress()
  for (let guess = 0; guess < 10; guess++) await signIn(email, 'x')
  expect((await signIn(email, 'x')).status).toBe(429)
})

test('distributed guessing is blocked, and the owner can still sign in from a known address', async () => {
  const { email } = await aMember(backend)
  expect((await signIn(email, PASSWORD, '10.1.1.1')).status).toBe(200)
  for (let guess = 0; guess < 50; guess++) {
    await signIn(email, 'x', `10.0.${guess}.1`)
  }
  expect((await signIn(email, 'x', '10.9.9.9')).status).toBe(429)
  expect((await signIn(email, PASSWORD, '10.1.1.1')).status).toBe(200)
})

test('sign-ups per client address are limited', async () => {
  const signUp = (address: string) =>
    call(backend, '/signup', {
      body: { email: anAddress(), password: 'x' },
      headers: from(address),
    })
  for (let time = 0; time < 30; time++) {
    expect((await signUp('10.0.0.1')).status).toBe(422)
  }
  const refused = await signUp('10.0.0.1')
  expect([refused.status, refused.json.code]).toEqual([429, 'over_request_rate_limit'])
  expect((await signUp('10.0.0.2')).status).toBe(422)
})

test('an IPv6 network counts as one client address', async () => {
  const email = anAddress()
  for (let guess = 0; guess < 10; guess++) await signIn(email, 'x', `2001:db8:1:2::${guess}`)
  expect((await signIn(email, 'x', '2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await signIn(email, 'x', '2001:db8:1:3::1')).status).toBe(400)
})

describe('mails to one recipient', () => {
  const reset = (email: string, address: string, body = {}) =>
    call(backend, '/recover', { body: { email, ...body }, headers: from(address) })

  test('are limited', async () => {
    const { email } = await aMember(backend)
    for (let minute = 0; minute < 10; minute++) {
      expect((await reset(email, '10.0.0.1')).status).toBe(200)
      backend.clock.advance(60_000)
    }
    // Ten an hour, refilled by one every six minutes.
    const statuses = []
    for (let time = 0; time < 3; time++) {
      statuses.push((await reset(email, '10.0.0.1')).status)
      backend.clock.advance(60_000)
    }
    expect(statuses).toContain(429)
  })

  test('whoever asks for them elsewhere delays none that the owner asks for, and ends no link', async () => {
    const { email } = await aMember(backend)
    // A network of IPv4 is a /24, one of IPv6 a /48.
    for (const [stranger, neighbor] of [
      ['198.51.100.7', '198.51.100.99'],
      ['2001:db8:1:2::3', '2001:db8:1:ffff::4'],
    ] as const) {
      for (let minute = 0; minute < 10; minute++) {
        expect((await reset(email, stranger)).status).toBe(200)
        expect((await reset(email, neighbor)).status).toBe(429)
        backend.clock.advance(60_000)
      }
    }
    expect((await reset(email, '10.1.1.1')).status).toBe(200)
    const { link } = latestMail(backend, email)
    for (let minute = 0; minute < 30; minute++) {
      await reset(email, `203.0.${minute}.1`)
      backend.clock.advance(60_000)
    }
    expect((await openLink(link)).fragment.get('type')).toBe('recovery')
  })

  test('are fewer while a link is valid than links that are kept', () => {
    // A burst, and what refills meanwhile: from anywhere, and from where the owner is signed in.
    const mostInAnHour = 2 * (RATES.mailsToOne.count + RATES.mailsToOneFromNetwork.count)
    expect(LIMITS.linksPerAccount).toBeGreaterThanOrEqual(mostInAnHour)
  })

  test('asked for from very many networks, they are still sent to where the owner is signed in', async () => {
    const [owner, other] = [await aMember(backend), await aMember(backend)]
    const home = '10.7.7.7'
    expect((await signIn(owner.email, PASSWORD, home)).status).toBe(200)
    for (const { email } of [owner, other]) {
      const asked = await Promise.all(
        Array.from({ length: 31 }, (_, place) => reset(email, `203.0.${place}.1`)),
      )
      expect(asked.filter(({ status }) => status === 429)).toHaveLength(1)
      expect((await reset(email, home)).status).toBe(email === owner.email ? 200 : 429)
    }
  })
})

test('without PKCE, a mail that only its requester could use is refused and counts for nothing', async () => {
  const plain = await startTestBackend({
    settings: { auth: { allowsPkce: false, minResponseMilliseconds: 0 } },
  })
  try {
    const { email, client } = await aMember(plain)
    const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }
    const session = bearer((await sessionOf(client)).access_token)
    for (const [path, method, body, headers] of [
      ['/recover', 'POST', { email }, {}],
      ['/otp', 'POST', { email }, {}],
      ['/resend', 'POST', { email, type: 'email_change' }, {}],
      ['/signup', 'POST', { email, password: PASSWORD }, {}],
      ['/user', 'PUT', { email: anAddress() }, session],
    ] as const) {
      const refused = await call(plain, path, { method, body: { ...body, ...challenge }, headers })
      expect([path, refused.status, refused.json]).toEqual([
        path,
        400,
        { code: 'validation_failed', message: 'PKCE flow is not enabled' },
      ])
    }
    expect(plain.mail.messages()).toEqual([])
    expect((await call(plain, '/recover', { body: { email } })).status).toBe(200)
    expect((await openLink(latestMail(plain, email).link)).fragment.get('type')).toBe('recovery')
  } finally {
    await plain.close()
  }
})

describe('guessing codes', () => {
  const guess = (email: string, token: string, address: string, type = 'recovery') =>
    call(backend, '/verify', { body: { type, email, token }, headers: from(address) })

  test('five wrong guesses from any address invalidate a code, but not the link', async () => {
    const { email } = await aMember(backend)
    await call(backend, '/recover', { body: { email } })
    const { code, link } = latestMail(backend, email)
    for (let time = 0; time < 5; time++) {
      expect((await guess(email, 'not it', `10.0.${time}.1`)).status).toBe(403)
    }
    expect((await guess(email, code, '10.0.99.1')).json.code).toBe('otp_expired')
    expect((await openLink(link)).fragment.get('type')).toBe('recovery')
  })

  test('concurrent code guesses are counted before they are checked', async () => {
    const { email } = await aMember(backend)
    await call(backend, '/recover', { body: { email } })
    const { code } = latestMail(backend, email)
    await Promise.all(Array.from({ length: 8 }, (_, n) => guess(email, 'wrong', `10.0.${n}.1`)))
    expect((await guess(email, code, '10.0.99.1')).json.code).toBe('otp_expired')
  })

  test('an email address allows ten guesses in ten minutes, with an account or not', async () => {
    for (const email of [(await aMember(backend)).email, anAddress()]) {
      for (let time = 0; time < 10; time++) {
        expect((await guess(email, 'not it', `10.0.${time}.1`)).status).toBe(403)
      }
      expect((await guess(email, 'not it', '10.0.99.1')).status).toBe(429)
    }
  })
})

test('no code is issued for a mail that shows none', async () => {
  const quiet = await startTestBackend()
  try {
    const [invited, stranger] = [anAddress(), anAddress()]
    const { email } = await aMember(quiet)
    await aServer(quiet).auth.admin.inviteUserByEmail(invited)
    await call(quiet, '/signup', { body: { email: stranger, password: PASSWORD } })
    await call(quiet, '/recover', { body: { email } })
    expect(await sql(quiet, 'select token_type, code_hash from auth.one_time_tokens')).toEqual([
      { token_type: 'confirmation_token', code_hash: null },
      { token_type: 'confirmation_token', code_hash: null },
      { token_type: 'recovery_token', code_hash: null },
    ])
  } finally {
    await quiet.close()
  }
})

test('limits are shared by several processes', async () => {
  const keys = { ...(await makeInstallationKeys()), databasePassword: TEST_PASSWORD }
  const second = await startBackend({
    databaseUrl: backend.superuserUrl,
    keys,
    siteUrl: backend.url,
    dataDir: '/nonexistent',
    productName: 'Test',
    trustProxy: 1,
    clock: backend.clock,
    log: pino({ level: 'silent' }),
  })
  try {
    const email = anAddress()
    for (let guess = 0; guess < 10; guess++) await signIn(email, 'x')
    const answer = await second.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers: { apikey: keys.publishableKey, ...from('10.0.0.1') },
      payload: JSON.stringify({ email, password: 'x' }),
    })
    expect(answer.statusCode).toBe(429)
  } finally {
    await second.close()
  }
})

describe('mails, at a tenth of the default limits', () => {
  let strict: TestBackend
  beforeEach(async () => {
    const auth = { rateLimitFactor: 0.1, mailIntervalSeconds: 0, minResponseMilliseconds: 0 }
    strict = await startTestBackend({ settings: { trustProxy: 1, auth } })
  })
  afterEach(() => strict.close())
  const ask = (path: string, body: object, address: string, method = 'POST') =>
    call(strict, path, { method, body, headers: from(address) })
  const refused = { status: 429, json: { code: 'over_email_send_rate_limit' } }

  test('one client address may request six in total, of any kind and to any recipient; others are unaffected', async () => {
    const { client, email } = await aMember(strict)
    const paths = ['/recover', '/recover', '/otp', '/signup', '/signup', '/signup']
    for (const path of paths) {
      const body = { email: anAddress(), password: PASSWORD }
      expect((await ask(path, body, '10.0.0.1')).status).toBe(200)
    }
    const headers = { ...bearer((await sessionOf(client)).access_token), ...from('10.0.0.1') }
    const change = { method: 'PUT', body: { email: anAddress() }, headers }
    expect(await call(strict, '/user', change)).toMatchObject(refused)
    strict.clock.advance(300_000)
    for (const who of [email, anAddress()]) {
      expect(await ask('/resend', { type: 'signup', email: who }, '10.0.0.1')).toMatchObject(
        refused,
      )
    }
    expect((await ask('/recover', { email }, '10.0.0.2')).status).toBe(200)
  })

  test('one network may request twelve in total, however many addresses it has', async () => {
    for (const [network, elsewhere] of [
      [(place: number) => `198.51.100.${place}`, '198.51.101.1'],
      [(place: number) => `2001:db8:5:${place}::1`, '2001:db8:6::1'],
    ] as const) {
      const asked = []
      for (let place = 0; place < 13; place++) {
        asked.push((await ask('/otp', { email: anAddress() }, network(place))).status)
      }
      expect(asked).toEqual([...Array<number>(12).fill(200), 429])
      expect((await ask('/otp', { email: anAddress() }, elsewhere)).status).toBe(200)
    }
  })

  test('thirty of fifty an hour are for newcomers, then members still get theirs; errors do not reveal accounts', async () => {
    const { email } = await aMember(strict)
    const together = (count: number, path: string, body = {}) =>
      Promise.all(
        Array.from({ length: count }, (_, place) =>
          ask(path, { email: anAddress(), ...body }, `10.1.${place}.1`),
        ),
      )
    // Made-up addresses do not count.
    for (const { status } of await together(60, '/recover')) expect(status).toBe(200)
    const newcomers = Array.from({ length: 30 }, () => anAddress())
    for (const [place, newcomer] of newcomers.entries()) {
      const path = place % 2 ? '/otp' : '/signup'
      const asked = await ask(path, { email: newcomer, password: PASSWORD }, `10.2.${place}.1`)
      expect(asked.status).toBe(200)
    }
    expect(strict.mail.messages()).toHaveLength(30)

    const [newcomer = ''] = newcomers
    for (const [path, body, address] of [
      ['/signup', { password: PASSWORD }, '10.9.1.1'],
      ['/otp', {}, '10.9.2.1'],
      ['/resend', { type: 'signup' }, '10.9.3.1'],
    ] as const) {
      for (const who of [email, newcomer, anAddress()]) {
        expect(await ask(path, { email: who, ...body }, address)).toMatchObject(refused)
      }
    }
    // Whoever made up an account gets no other's share by asking for a new password or a link to sign in.
    for (const [path, body, address] of [
      ['/recover', {}, '10.3.1.1'],
      ['/otp', { create_user: false }, '10.3.2.1'],
    ] as const) {
      for (const who of [newcomer, email]) {
        expect(await ask(path, { email: who, ...body }, address)).toMatchObject({ status: 200 })
      }
    }
    expect(
      strict.mail
        .messages()
        .map(({ to }) => to)
        .slice(0, 2),
    ).toEqual([email, email])
    expect(strict.mail.messages()).toHaveLength(32)

    for (let place = 0; place < 18; place++) {
      const member = { email: anAddress(), password: PASSWORD, email_confirm: true }
      await aServer(strict).auth.admin.createUser(member)
      const asked = await ask('/recover', { email: member.email }, `10.5.${place}.1`)
      expect(asked.status).toBe(200)
    }
    expect(strict.mail.messages()).toHaveLength(50)
    for (const who of [email, anAddress()]) {
      expect(await ask('/recover', { email: who }, '10.9.9.9')).toMatchObject(refused)
    }
  })
})

test('an installation can disable its limits', async () => {
  const free = await startTestBackend({
    settings: { auth: { rateLimitFactor: 0, mailIntervalSeconds: 0, minResponseMilliseconds: 0 } },
  })
  try {
    const email = anAddress()
    for (let guess = 0; guess < 40; guess++) {
      const { status } = await call(free, '/token?grant_type=password', {
        body: { email, password: 'x' },
      })
      expect(status).toBe(400)
    }
    for (let time = 0; time < 12; time++) {
      expect((await call(free, '/recover', { body: { email } })).status).toBe(200)
    }
  } finally {
    await free.close()
  }
})

test('changes to one address are limited, however many members ask for it, and however often', async () => {
  const strict = await startTestBackend({})
  const mailsTo = (address: string) =>
    strict.mail.messages().filter(({ to }) => to === address).length
  try {
    const email = anAddress()
    const people = await Promise.all(Array.from({ length: 11 }, () => aMember(strict)))
    const answers = await Promise.all(people.map(({ client }) => client.auth.updateUser({ email })))
    const refused = answers.filter(({ error }) => error?.code === 'over_email_send_rate_limit')
    expect(refused).toHaveLength(1)
    expect(mailsTo(email)).toBe(10)

    // A stranger who asks for a member's links cannot delay the member's change or tell that there is one.
    const busy = await aMember(strict)
    await aClient(strict).auth.resend({ type: 'email_change', email: busy.email })
    expect((await busy.client.auth.updateUser({ email: anAddress() })).error).toBeNull()
    const asked = await aClient(strict).auth.resend({ type: 'email_change', email: busy.email })
    expect(asked.error?.code).toBe('over_email_send_rate_limit')

    // Nor does the answer tell a stranger that the new address has had too many mails.
    strict.clock.advance(61_000)
    const old = people[answers.findIndex((answer) => !answer.error)]?.email ?? ''
    const sent = mailsTo(old)
    const again = await aClient(strict).auth.resend({ type: 'email_change', email: old })
    expect(again).toEqual({ data: { user: null, session: null }, error: null })
    expect([mailsTo(email), mailsTo(old)]).toEqual([10, sent])
  } finally {
    await strict.close()
  }
})
