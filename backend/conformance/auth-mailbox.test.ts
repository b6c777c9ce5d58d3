import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadMailboxSecret, type MailboxSecret } from '../src/auth/mail/mailbox-secret.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aClient, aMember, anAddress, latestMail, PASSWORD, sessionOf, sql } from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ settings: { trustProxy: ['loopback'] } })
})
afterAll(() => backend.close())

/** For headers that `fetch` does not allow. */
function get(path: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port } = new URL(backend.url)
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })
}

test('the mailbox lists sent mails, newest first', async () => {
  const emails = [anAddress(), anAddress()]
  for (const email of emails) await aClient(backend).auth.signUp({ email, password: PASSWORD })
  const response = await fetch(`${backend.url}/_mail/messages.json`)
  const mails = (await response.json()) as Record<string, unknown>[]
  expect(mails.slice(0, 2).map(({ to }) => to)).toEqual(emails.reverse())
  expect(mails[0]?.text).toContain('Confirm your email')
  expect(mails[0]?.html).toContain('<!doctype html>')
  expect(mails[0]).toMatchObject({
    subject: 'Confirm your email for Test',
    links: [
      expect.stringMatching(/\/auth\/v1\/verify\?token=[0-9a-f]{56}&type=signup&redirect_to=/),
    ],
  })
})

test('the page shows a mail in a frame without scripts', async () => {
  const email = anAddress()
  await aClient(backend).auth.signUp({ email, password: PASSWORD })
  const list = await fetch(`${backend.url}/_mail`)
  expect(list.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await list.text()).toContain(email)
  const page = await (await fetch(`${backend.url}/_mail/${latestMail(backend, email).id}`)).text()
  expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
  expect(page).not.toContain('<script')
  expect((await fetch(`${backend.url}/_mail/nothing`)).status).toBe(404)
})

test.each([
  ['another machine', { 'x-forwarded-for': '203.0.113.7' }],
  ['a proxy on this machine', { 'x-forwarded-for': '127.0.0.1' }],
  ['a proxy that names the host', { 'x-forwarded-host': 'localhost' }],
  ['another machine behind a proxy on this one', { forwarded: 'for=203.0.113.7' }],
  ['a tunnel', { via: '1.1 tunnel' }],
  ['another port of this machine', { host: '127.0.0.1:9999' }],
  ['a proxy that passes no port on', { host: '127.0.0.1' }],
  ['a page elsewhere', { origin: 'https://evil.example' }],
  [
    'a page elsewhere without an origin',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  ],
  ['a name that was pointed at this machine', { host: 'evil.example' }],
])('%s cannot read it', async (_who, headers) => {
  expect(await get('/_mail', headers)).toBe(403)
  expect(await get('/_mail/messages.json', headers)).toBe(403)
})

test('the mailbox can be opened through a link', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  expect(await get('/_mail', headers)).toBe(200)
})

describe('outside the demo', () => {
  let locked: TestBackend
  let folder: string
  let secret: MailboxSecret
  const readers = new Set<string>()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
    secret = await loadMailboxSecret(folder)
    const mayRead = ({ claims }: { claims: { sub?: string } }) =>
      Promise.resolve(readers.has(claims.sub ?? ''))
    const auth = { mailbox: { opensTo: 'secret', secret, mayRead } as const }
    locked = await startTestBackend({ settings: { auth } })
  })
  afterAll(async () => {
    await locked.close()
    await rm(folder, { recursive: true, force: true })
  })

  const open = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${locked.url}/_mail/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
      redirect: 'manual',
    })
  const refreshedSessionOf = async (client: SupabaseClient) => {
    await client.auth.refreshSession()
    return sessionOf(client)
  }
  const cookieOf = (response: Response) => response.headers.get('set-cookie') ?? ''
  const list = (cookie = '') =>
    fetch(`${locked.url}/_mail/messages.json`, { headers: { cookie: cookie.split(';')[0] ?? '' } })

  test('being on this machine does not give access to mails', async () => {
    await aClient(locked).auth.signUp({ email: anAddress(), password: PASSWORD })
    expect((await list()).status).toBe(401)
    const page = await fetch(`${locked.url}/_mail`)
    expect(page.status).toBe(401)
    expect(await page.text()).not.toContain('person')
    expect((await list(`mailbox=${'x'.repeat(43)}`)).status).toBe(401)
  })

  test('the secret works once, for one browser; a wrong one does not', async () => {
    expect((await open('secret=wrong')).status).toBe(403)
    const responses = await Promise.all([1, 2].map(() => open(`secret=${secret.fresh}`)))
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 403])
    const cookie = cookieOf(responses.find(({ status }) => status === 303)!)
    expect(cookie).toMatch(
      /^mailbox=[\w-]{43}; Path=\/_mail; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    )
    expect((await list(cookie)).status).toBe(200)
    locked.clock.advance(8 * 60 * 60_000)
    expect((await list(cookie)).status).toBe(401)
  })

  test('the secret is stored as a hash readable only by the owner, and replaced after use', async () => {
    const own = await mkdtemp(join(tmpdir(), 'mailbox-'))
    try {
      const first = await loadMailboxSecret(own)
      const file = join(own, 'mailbox-secret')
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readFile(file, 'utf8')).not.toContain(first.fresh)
      const restarted = await loadMailboxSecret(own)
      expect(restarted.fresh).toBeNull()
      expect(await restarted.redeem(first.fresh ?? '')).toBe(true)
      expect(await restarted.redeem(first.fresh ?? '')).toBe(false)
      expect((await loadMailboxSecret(own)).fresh).not.toBe(first.fresh)
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  })

  test('a member authorized by the product has access while authorized and signed in', async () => {
    const { client, id } = await aMember(locked)
    const { access_token } = await sessionOf(client)
    const headers = { apikey: locked.publishableKey, authorization: `Bearer ${access_token}` }
    expect((await open('', headers)).status).toBe(403)
    readers.add(id)
    const response = await open('', headers)
    expect(response.status).toBe(204)
    const cookie = cookieOf(response)
    expect((await list(cookie)).status).toBe(200)
    readers.delete(id)
    expect((await list(cookie)).status).toBe(401)

    readers.add(id)
    const second = cookieOf(await open('', headers))
    await sql(locked, 'delete from auth.sessions where user_id = $1', [id])
    expect((await list(second)).status).toBe(401)
    expect((await open('', headers)).status).toBe(403)
  })

  test('a member opens it with a sign-in of the last 15 minutes, for as long', async () => {
    const { client, id } = await aMember(locked)
    readers.add(id)
    const headersOf = ({ access_token }: { access_token: string }) => ({
      apikey: locked.publishableKey,
      authorization: `Bearer ${access_token}`,
    })
    const headers = headersOf(await sessionOf(client))
    locked.clock.advance(14 * 60_000)
    const response = await open('', headers)
    expect(response.status).toBe(204)
    expect(cookieOf(response)).toContain('; Max-Age=900; ')
    locked.clock.advance(2 * 60_000)
    // A token that was stolen, or its refreshed one, does not do it any more.
    for (const stale of [headers, headersOf(await refreshedSessionOf(client))]) {
      const refused = await open('', stale)
      expect(refused.status).toBe(428)
      expect(await refused.json()).toMatchObject({ error_code: 'reauthentication_needed' })
      expect(cookieOf(refused)).toBe('')
    }
    expect((await list(cookieOf(response))).status).toBe(200)
    locked.clock.advance(13 * 60_000)
    expect((await list(cookieOf(response))).status).toBe(401)
  })

  test('guesses are limited', async () => {
    const statuses: number[] = []
    for (let time = 0; time < 12; time++) statuses.push((await open('secret=wrong')).status)
    expect(statuses).toContain(429)
  })
})
