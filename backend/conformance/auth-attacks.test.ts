// Attacks on the auth service.
import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS as AUTH } from '#auth/limits.ts'
import { LIMITS as REALTIME } from '#realtime/limits.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
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
} from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  // Longer than by default, so that other load on the machine does not affect the measurement.
  const auth = { rateLimitFactor: 10, minResponseMilliseconds: 250 }
  backend = await startTestBackend({ settings: { auth } })
})
afterAll(() => backend.close())

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function quantile(numbers: number[], part: number): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.round((sorted.length - 1) * part)] ?? 0
}

/** The spread of identical responses: the noise of a measurement on this machine. */
function noise(numbers: number[]): number {
  return quantile(numbers, 0.75) - quantile(numbers, 0.25)
}

describe('enumerating accounts', () => {
  const requests: Record<string, (email: string) => Promise<{ status: number; text: string }>> = {
    'a sign-in': (email) =>
      call(backend, '/token?grant_type=password', { body: { email, password: 'wrong password' } }),
    'a password reset': (email) => call(backend, '/recover', { body: { email } }),
    'a repeated confirmation': (email) =>
      call(backend, '/resend', { body: { email, type: 'signup' } }),
    'a magic link': (email) => call(backend, '/otp', { body: { email } }),
  }

  test.each(Object.keys(requests))(
    '%s gives the same response in the same time for existing and unknown accounts',
    async (name) => {
      const request = requests[name] ?? (() => Promise.reject(new Error('no such request')))
      const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
      const responses = new Set<string>()
      const members = await Promise.all(Array.from({ length: 5 }, () => aMember(backend)))
      for (const { email } of members) {
        for (const [kind, address] of [
          ['known', email],
          ['unknown', anAddress()],
        ] as const) {
          times[kind].push(
            await timed(async () => {
              const { status, text } = await request(address)
              responses.add(`${status} ${text}`)
            }),
          )
        }
      }
      expect(responses.size).toBe(1)
      const difference = quantile(times.known, 0.5) - quantile(times.unknown, 0.5)
      const tolerance = 40 + Math.max(noise(times.known), noise(times.unknown))
      expect(Math.abs(difference)).toBeLessThan(tolerance)
    },
  )

  test('mail limits are the same for existing and unknown accounts', async () => {
    const { email } = await aMember(backend)
    const responses = []
    for (const address of [email, anAddress()]) {
      await call(backend, '/recover', { body: { email: address } })
      const second = await call(backend, '/recover', { body: { email: address } })
      responses.push([second.status, second.json.code])
    }
    expect(responses[0]).toEqual([429, 'over_email_send_rate_limit'])
    expect(responses[1]).toEqual(responses[0])
  })

  test('a wrong password does not reveal whether the address is confirmed', async () => {
    const email = anAddress()
    await aClient(backend).auth.signUp({ email, password: PASSWORD })
    const { error } = await aClient(backend).auth.signInWithPassword({ email, password: 'wrong' })
    expect(error?.code).toBe('invalid_credentials')
  })
})

describe('open redirects', () => {
  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'http://127.0.0.1@evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://evil.example#http://127.0.0.1/',
    'http://evil.example\\@127.0.0.1/',
    'http://127.0.0.1:80\n.evil.example/',
    'https://127.0.0.1/',
    'http://user:password@127.0.0.1/',
    'evil://127.0.0.1/',
  ])('a link never redirects to %j', async (page) => {
    const link = `${backend.url}/auth/v1/verify?token=x&type=signup&redirect_to=${encodeURIComponent(page)}`
    const { location } = await openLink(link)
    expect(location.startsWith(`${backend.url}/#`)).toBe(true)
  })

  test('a forged Referer or other header does not change the redirect', async () => {
    const response = await fetch(`${backend.url}/auth/v1/verify?token=x&type=signup`, {
      redirect: 'manual',
      headers: { referer: 'https://evil.example/', redirect_to: 'https://evil.example/' },
    })
    expect(response.headers.get('location')?.startsWith(`${backend.url}/#`)).toBe(true)
  })

  test('a forged Host header does not appear in the mailed link', async () => {
    const { email } = await aMember(backend)
    const { hostname, port } = new URL(backend.url)
    await new Promise<void>((resolve, reject) => {
      const sent = httpRequest({
        hostname,
        port,
        path: '/auth/v1/recover',
        method: 'POST',
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          apikey: backend.publishableKey,
          'content-type': 'application/json',
        },
      })
      sent.on('response', (response) => response.resume().on('end', resolve)).on('error', reject)
      sent.end(JSON.stringify({ email }))
    })
    const mail = latestMail(backend, email)
    expect(mail.link.startsWith(`${backend.url}/auth/v1/verify?`)).toBe(true)
    expect(mail.html).not.toContain('evil.example')
  })
})

describe('forging tokens', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const readUser = (token: string) =>
    call(backend, '/user', { method: 'GET', headers: bearer(token) })

  async function claimsOf() {
    const { client } = await aMember(backend)
    const { access_token } = await sessionOf(client)
    const [header = '', payload = '', signature = ''] = access_token.split('.')
    return { header, payload, signature, access_token }
  }

  test('an unsigned token is rejected', async () => {
    const { payload } = await claimsOf()
    for (const alg of ['none', 'None', 'NONE']) {
      const { status, json } = await readUser(`${part({ alg, typ: 'JWT' })}.${payload}.`)
      expect([status, json.code]).toEqual([403, 'bad_jwt'])
    }
  })

  test('a token signed with the public key as a shared secret is rejected', async () => {
    const { payload } = await claimsOf()
    const keys = await (await fetch(`${backend.url}/auth/v1/.well-known/jwks.json`)).text()
    const body = `${part({ alg: 'HS256', typ: 'JWT' })}.${payload}`
    const signature = createHmac('sha256', keys).update(body).digest('base64url')
    expect((await readUser(`${body}.${signature}`)).status).toBe(403)
  })

  test('a token with modified claims is rejected', async () => {
    const { header, payload, signature } = await claimsOf()
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const forged = part({ ...claims, role: 'service_role' })
    expect((await readUser(`${header}.${forged}.${signature}`)).status).toBe(403)
  })

  test('a token of another installation is rejected', async () => {
    const other = await startTestBackend()
    try {
      const { client, email } = await aMember(other)
      await aMember(backend, email)
      const { access_token } = await sessionOf(client)
      const { status, json } = await readUser(access_token)
      expect([status, json.code]).toEqual([403, 'bad_jwt'])
    } finally {
      await other.close()
    }
  })

  test('access and refresh tokens are not interchangeable', async () => {
    const { client } = await aMember(backend)
    const { access_token, refresh_token } = await sessionOf(client)
    const refreshed = await call(backend, '/token?grant_type=refresh_token', {
      body: { refresh_token: access_token },
    })
    expect(refreshed.json.code).toBe('refresh_token_not_found')
    expect((await readUser(refresh_token)).status).toBe(403)
  })

  test('the secret key does not work in a browser', async () => {
    const headers = { apikey: backend.secretKey, 'user-agent': 'Mozilla/5.0 (X11; Linux)' }
    const { status } = await call(backend, '/admin/users', { method: 'GET', headers })
    expect(status).toBe(401)
  })
})

test('text that Postgres cannot store is refused, with or without a session', async () => {
  const { client } = await aMember(backend)
  const headers = bearer((await sessionOf(client)).access_token)
  const account = { email: anAddress(), password: PASSWORD }
  for (const [method, path, body] of [
    ['POST', '/token?grant_type=password', { email: 'a\0@example.com', password: PASSWORD }],
    ['POST', '/signup', { ...account, data: { first_name: '\ud800' } }],
    ['POST', '/otp', { email: anAddress(), data: { a: '\udc00\ud800' } }],
    ['PUT', '/user', { data: { a: '\udfff' } }],
    ['POST', '/factors', { factor_type: 'totp', friendly_name: 'a\0' }],
  ] as const) {
    const { status, json } = await call(backend, path, { method, headers, body })
    expect([path, status, json.code]).toEqual([path, 400, 'validation_failed'])
  }
})

describe('injection into mails', () => {
  test.each([
    'a@example.com\r\nBcc: victim@example.com',
    'a@example.com\nSubject: hello',
    'a@example.com, victim@example.com',
    'a@example.com;victim@example.com',
    'Someone <a@example.com>',
    '"a b"@example.com',
    'a@example.com\u0000',
    'a@exa mple.com',
    '<img src=x>@example.com',
  ])('%j is not an address', async (email) => {
    for (const path of ['/signup', '/recover', '/otp']) {
      const { status, json } = await call(backend, path, { body: { email, password: PASSWORD } })
      expect([path, status, json.code]).toEqual([path, 400, 'validation_failed'])
    }
  })

  test('HTML in names or redirect URLs is escaped', async () => {
    const email = anAddress()
    await aClient(backend).auth.signUp({
      email,
      password: PASSWORD,
      options: {
        data: { first_name: '<script>alert(1)</script>', locale: '<b>' },
        emailRedirectTo: `${backend.url}/"><script>alert(2)</script>`,
      },
    })
    const { html, subject } = latestMail(backend, email)
    expect(html + subject).not.toContain('<script>')
    const page = await (await fetch(`${backend.url}/_mail/${latestMail(backend, email).id}`)).text()
    expect(page).not.toContain('<script>')
  })
})

test('a body that is too large is rejected', async () => {
  const { status } = await call(backend, '/signup', {
    body: { email: 'a@example.com', password: PASSWORD, data: { text: 'x'.repeat(300_000) } },
  })
  expect(status).toBe(413)
})

test('metadata too large for a token is rejected, in one request, several, or several at once', async () => {
  const half = 'x'.repeat(AUTH.userMetadataBytes * 0.6)
  const body = { email: anAddress(), password: PASSWORD, data: { one: half, two: half } }
  expect((await call(backend, '/signup', { body })).json.code).toBe('validation_failed')
  expect((await call(backend, '/otp', { body })).json.code).toBe('validation_failed')
  const { client } = await aMember(backend)
  expect((await client.auth.updateUser({ data: { one: half } })).error).toBeNull()
  const more = await client.auth.updateUser({ data: { two: half } })
  expect(more.error).toMatchObject({ status: 400, code: 'validation_failed' })
  const other = await aMember(backend)
  const { access_token } = await sessionOf(other.client)
  const responses = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name) =>
      call(backend, '/user', {
        method: 'PUT',
        body: { data: { [name]: half } },
        headers: bearer(access_token),
      }),
    ),
  )
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
})

test('the token of an account with as much metadata as it may have opens everything, and that of one with more carries none', async () => {
  const { client, id } = await aMember(backend)
  const text = 'x'.repeat(AUTH.userMetadataBytes - 200)
  expect((await client.auth.updateUser({ data: { text } })).error).toBeNull()
  await client.auth.refreshSession()
  const { access_token: large } = await sessionOf(client)
  expect(large.length).toBeLessThan(REALTIME.accessTokenBytes)
  expect((await client.auth.getUser()).data.user?.user_metadata.text).toBe(text)
  const more = { user_metadata: { text: text.repeat(10) } }
  expect((await aServer(backend).auth.admin.updateUserById(id, more)).error).toBeNull()
  const { data } = await client.auth.refreshSession()
  expect(data.session?.access_token.length).toBeLessThan(large.length)
  expect(data.user?.user_metadata.text).toBe(more.user_metadata.text)
  expect((await client.auth.getUser()).error).toBeNull()
})

test('names such as "__proto__" are only names', async () => {
  const email = anAddress()
  const body = `{"email":"${email}","password":"${PASSWORD}","data":{"__proto__":{"admin":true},"constructor":"x"}}`
  const { status, json } = await call(backend, '/signup', { body })
  expect(status).toBe(200)
  expect((json.user_metadata as { admin?: boolean }).admin).toBeUndefined()
})
