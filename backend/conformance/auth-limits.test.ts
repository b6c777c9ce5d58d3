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
  const reset = (email: string, address: string) =>
    call(backend, '/recover', { body: { email }, headers: from(address) })
  const opens = async (link: string) => (await openLink(link)).fragment.get('type')

  test('are limited for each network, and refill; a stranger’s delay none of the owner’s', async () => {
    // A network of IPv4 is a /24, one of IPv6 a /48.
    for (const [stranger, neighbor, owner] of [
      ['198.51.100.7', '198.51.100.99', '10.1.1.1'],
      ['2001:db8:1:2::3', '2001:db8:1:ffff::4', '2001:db8:2::1'],
    ] as const) {
      const { email } = await aMember(backend)
      for (let minute = 0; minute < 6; minute++) {
        expect((await reset(email, stranger)).status).toBe(200)
        expect((await reset(email, neighbor)).status).toBe(429)
        if (minute === 3) expect((await reset(email, owner)).status).toBe(200)
        backend.clock.advance(60_000)
      }
      expect((await reset(email, neighbor)).status).toBe(429)
      backend.clock.advance(10 * 60_000)
      expect((await reset(email, stranger)).status).toBe(200)
    }
  })

  test('asked for from very many networks are limited too; then the owner has been sent links that work', async () => {
    const { email } = await aMember(backend)
    expect((await reset(email, '10.1.1.1')).status).toBe(200)
    const own = latestMail(backend, email).link
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, place) => reset(email, `203.0.${place}.1`)),
    )
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(RATES.mailsToOne.count - 1)
    expect((await reset(email, '10.2.2.2')).status).toBe(429)
    const { link } = latestMail(backend, email)
    expect(link).not.toBe(own)
    for (let place = 30; place < 90; place++) {
      backend.clock.advance(58_000)
      await reset(email, `203.0.${place}.1`)
    }
    expect(await opens(own)).toBe('recovery')
    // It ended the others, so the next is sent at once.
    expect(await opens(link)).toBeNull()
    expect((await reset(email, '10.2.2.2')).status).toBe(200)
    expect(await opens(latestMail(backend, email).link)).toBe('recovery')
  })

  test('asked for where the account is signed in are not kept back by those from elsewhere', async () => {
    const { email } = await aMember(backend)
    const home = '10.3.3.3'
    await signIn(email, PASSWORD, home)
    for (let place = 0; place < 20; place++) await reset(email, `203.9.${place}.1`)
    expect((await reset(email, '10.4.4.4')).status).toBe(429)
    for (let count = 0; count < RATES.mailsToOneFromNetwork.count; count++) {
      expect((await reset(email, home)).status).toBe(200)
      backend.clock.advance(60_000)
    }
    expect(await opens(latestMail(backend, email).link)).toBe('recovery')
  })

  test('of one kind use up no other’s', async () => {
    const { email } = await aMember(backend)
    for (const [kind, path, body] of [
      [1, '/resend', { type: 'email_change' }],
      [2, '/resend', { type: 'signup' }],
      [3, '/signup', { password: PASSWORD }],
      [4, '/otp', {}],
    ] as const) {
      for (let place = 0; place < 20; place++)
        await call(backend, path, {
          body: { email, ...body },
          headers: from(`203.${kind}.${place}.1`),
        })
    }
    expect((await reset(email, '10.1.1.1')).status).toBe(200)
    expect(await opens(latestMail(backend, email).link)).toBe('recovery')
  })

  test('are fewer while a link is valid than the links that are kept', () => {
    // For a new password and to sign in: a burst, and what refills in an hour.
    expect(LIMITS.linksPerAccount).toBeGreaterThanOrEqual(2 * 2 * RATES.mailsToOne.count)
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
    const response = await second.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      headers: { apikey: keys.publishableKey, ...from('10.0.0.1') },
      payload: JSON.stringify({ email, password: 'x' }),
    })
    expect(response.statusCode).toBe(429)
  } finally {
    await second.close()
  }
})

describe('mails, at a tenth of the default limits', () => {
  let strict: TestBackend
  const team = new Set<string>()
  beforeEach(async () => {
    const isMember = (id: string) => Promise.resolve(team.has(id))
    const pace = { rateLimitFactor: 0.1, mailIntervalSeconds: 0, minResponseMilliseconds: 0 }
    const auth = { ...pace, isMember }
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
        asked.push((await ask('/recover', { email: anAddress() }, network(place))).status)
      }
      expect(asked).toEqual([...Array<number>(12).fill(200), 429])
      expect((await ask('/recover', { email: anAddress() }, elsewhere)).status).toBe(200)
    }
  })

  test('newcomers, members and others have limits of their own, and no response reveals an account', async () => {
    const aKnown = async () => {
      const email = anAddress()
      const account = { email, password: PASSWORD, email_confirm: true }
      const { data } = await aServer(strict).auth.admin.createUser(account)
      return { email, id: data.user?.id ?? '' }
    }
    const [ann, bea] = [await aKnown(), await aKnown()]
    team.add(ann.id).add(bea.id)
    const mailsTo = (address: string) =>
      strict.mail.messages().filter(({ to }) => to === address).length
    // Made-up addresses count for nobody.
    for (let place = 0; place < 60; place++)
      await ask('/recover', { email: anAddress() }, `10.1.${place}.1`)
    for (let place = 0; place < 30; place++) {
      const body = { type: 'signup', email: anAddress() }
      expect((await ask('/resend', body, `10.6.${place}.1`)).status).toBe(200)
    }
    expect(strict.mail.messages()).toEqual([])

    const newcomers = Array.from({ length: 25 }, () => anAddress())
    for (const [place, email] of newcomers.entries()) {
      const path = place % 2 ? '/otp' : '/signup'
      const asked = await ask(path, { email, password: PASSWORD }, `10.2.${place}.1`)
      expect(asked.status).toBe(200)
    }
    const [newcomer = ''] = newcomers
    for (const [kind, path, body] of [
      [1, '/signup', { password: PASSWORD }],
      [2, '/otp', {}],
      [3, '/resend', { type: 'signup' }],
    ] as const) {
      for (const [place, who] of [ann.email, newcomer, anAddress()].entries()) {
        const asked = await ask(path, { email: who, ...body }, `10.9${kind}.${place}.1`)
        expect(asked).toMatchObject(refused)
      }
    }

    // Somebody with many mailboxes and accounts that nobody has let in.
    const own = await Promise.all(Array.from({ length: 8 }, aKnown))
    for (const [place, { email }] of [...own, { email: newcomer }].entries()) {
      expect((await ask('/recover', { email }, `10.3.${place}.1`)).status).toBe(200)
      const body = { email, create_user: false }
      expect((await ask('/otp', body, `10.4.${place}.1`)).status).toBe(200)
    }
    expect(own.reduce((sum, { email }) => sum + mailsTo(email), 0)).toBe(5)

    for (const [place, { email }] of [ann, bea].entries()) {
      expect((await ask('/recover', { email }, `10.5.${place}.1`)).status).toBe(200)
      expect(mailsTo(email)).toBe(1)
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
    const results = await Promise.all(people.map(({ client }) => client.auth.updateUser({ email })))
    const refused = results.filter(({ error }) => error?.code === 'over_email_send_rate_limit')
    expect(refused).toHaveLength(5)
    expect(mailsTo(email)).toBe(6)

    // A stranger who asks for a member's links cannot delay the member's change or tell that there is one.
    const busy = await aMember(strict)
    await aClient(strict).auth.resend({ type: 'email_change', email: busy.email })
    expect((await busy.client.auth.updateUser({ email: anAddress() })).error).toBeNull()
    const asked = await aClient(strict).auth.resend({ type: 'email_change', email: busy.email })
    expect(asked.error?.code).toBe('over_email_send_rate_limit')

    // Nor does the response tell a stranger that the new address has had too many mails.
    strict.clock.advance(61_000)
    const old = people[results.findIndex((result) => !result.error)]?.email ?? ''
    const sent = mailsTo(old)
    const again = await aClient(strict).auth.resend({ type: 'email_change', email: old })
    expect(again).toEqual({ data: { user: null, session: null }, error: null })
    expect([mailsTo(email), mailsTo(old)]).toEqual([6, sent])
  } finally {
    await strict.close()
  }
})
