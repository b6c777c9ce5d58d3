import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aClient, anAddress, latestMail, PASSWORD } from './auth-people.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ settings: { trustProxy: true } })
})
afterAll(() => backend.close())

/** With headers that `fetch` would not let a test set. */
function get(path: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port } = new URL(backend.url)
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })
}

test('the mailbox lists what was sent, newest first', async () => {
  const emails = [anAddress(), anAddress()]
  for (const email of emails) await aClient(backend).auth.signUp({ email, password: PASSWORD })
  const response = await fetch(`${backend.url}/_mail/messages.json`)
  const mails = (await response.json()) as Record<string, unknown>[]
  expect(mails.slice(0, 2).map(({ to }) => to)).toEqual(emails.reverse())
  expect(mails[0]?.text).toContain('Confirm your e-mail')
  expect(mails[0]?.html).toContain('<!doctype html>')
  expect(mails[0]).toMatchObject({
    subject: 'Confirm your e-mail for Test',
    links: [
      expect.stringMatching(/\/auth\/v1\/verify\?token=[0-9a-f]{56}&type=signup&redirect_to=/),
    ],
  })
})

test('the page shows a mail in a frame that can run nothing', async () => {
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
  ['another machine behind a proxy on this one', { forwarded: 'for=203.0.113.7' }],
  ['a page elsewhere', { origin: 'https://evil.example' }],
  [
    'a page elsewhere without an origin',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  ],
  ['a name that was pointed at this machine', { host: 'evil.example' }],
])('%s does not get to see it', async (_who, headers) => {
  expect(await get('/_mail', headers)).toBe(403)
  expect(await get('/_mail/messages.json', headers)).toBe(403)
})

test('a link to the mailbox may be followed', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  expect(await get('/_mail', headers)).toBe(200)
})
