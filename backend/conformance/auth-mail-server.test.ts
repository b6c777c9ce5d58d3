// Mails over a real SMTP server on this machine that works, is down, rejects mails or requires a password.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test, vi } from 'vitest'
import { pino } from 'pino'
import { makeInstallationKeys } from '../src/http/installation-keys.ts'
import { startBackend } from '../src/gateway/start-backend.ts'
import { freePort } from '../src/postgres/free-port.ts'
import { TEST_PASSWORD } from '../testing/passwords.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { aClient, aServer, call, openLink, PASSWORD, sql } from './auth-people.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type MailServer = { port: number; mails: Email[]; recipients: string[] }

async function aMailServer(port: number, options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Email[] = []
  const recipients: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    // The backend keeps its connection open for the next mail.
    closeTimeout: 100,
    onData(stream, session, done) {
      PostalMime.parse(Readable.toWeb(stream) as ReadableStream).then((mail) => {
        mails.push(mail)
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      }, done)
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port, mails, recipients }
}

async function aBackend(smtpUrl: string, auth = {}): Promise<TestBackend> {
  const backend = await startTestBackend({
    settings: { smtpUrl, auth: { mailFrom: 'team@rep.example', ...auth } },
  })
  closers.push(() => backend.close())
  return backend
}

const waiting = (backend: TestBackend) =>
  sql<{ attempts: number; last_error: string; given_up_at: Date | null }>(
    backend,
    'select attempts, last_error, given_up_at from auth_service.mail_outbox',
  )

const soon = { timeout: 15_000, interval: 50 }

test('a confirmation mail arrives, in plain text and HTML, and its link works', async () => {
  const server = await aMailServer(await freePort())
  const backend = await aBackend(`smtp://127.0.0.1:${server.port}`)
  await aClient(backend).auth.signUp({
    email: 'maya@example.com',
    password: PASSWORD,
    options: { data: { first_name: 'Maya', locale: 'es-MX' } },
  })
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), soon)
  const [mail] = server.mails
  expect(server.recipients).toEqual(['maya@example.com'])
  expect(mail?.from).toMatchObject({ address: 'team@rep.example', name: 'Test' })
  expect(mail?.to).toMatchObject([{ address: 'maya@example.com' }])
  expect(mail?.subject).toBe('Confirma tu correo para Test')
  expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@rep\.example>$/)
  expect(mail?.html).toContain('<html lang="es">')
  const link = /https?:\S+verify\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  expect((await openLink(link)).fragment.get('access_token')).toBeTruthy()
  await vi.waitFor(async () => expect(await waiting(backend)).toEqual([]), soon)
})

test('with a mail server there is no built-in mailbox', async () => {
  const server = await aMailServer(await freePort())
  const backend = await aBackend(`smtp://127.0.0.1:${server.port}`)
  expect((await fetch(`${backend.url}/_mail/messages.json`)).status).toBe(404)
})

test('sign-ups work while the mail server is down, and mails arrive once it is back', async () => {
  const port = await freePort()
  const backend = await aBackend(`smtp://127.0.0.1:${port}`)
  const started = performance.now()
  for (const name of ['ann', 'ben', 'eve']) {
    const { error } = await aClient(backend).auth.signUp({
      email: `${name}@example.com`,
      password: PASSWORD,
    })
    expect(error).toBeNull()
  }
  expect(performance.now() - started).toBeLessThan(5_000)
  await vi.waitFor(async () => {
    const rows = await waiting(backend)
    expect(rows).toHaveLength(3)
    expect(rows.every(({ attempts }) => attempts > 0)).toBe(true)
  }, soon)
  expect((await waiting(backend))[0]?.last_error).toContain('ECONNREFUSED')

  const server = await aMailServer(port)
  await vi.waitFor(() => expect(server.recipients).toHaveLength(3), soon)
  await vi.waitFor(async () => expect(await waiting(backend)).toEqual([]), soon)
  expect(server.recipients.sort()).toEqual([
    'ann@example.com',
    'ben@example.com',
    'eve@example.com',
  ])
})

test('a mail server that is down for a day loses no mail and gets none twice, though the clock jumps', async () => {
  const port = await freePort()
  const backend = await aBackend(`smtp://127.0.0.1:${port}`)
  const sent: string[] = []
  const HOUR = 60 * 60_000
  // The last one sets the clock back.
  for (const hours of [0, 1 / 6, 8, 16, -1 / 6]) {
    backend.clock.advance(hours * HOUR)
    const email = `mail-${sent.length}@example.com`
    sent.push(email)
    const { error } = await aClient(backend).auth.signUp({ email, password: PASSWORD })
    expect(error).toBeNull()
    await vi.waitFor(async () => {
      const rows = await waiting(backend)
      expect(rows).toHaveLength(sent.length)
      expect(rows.every((row) => row.attempts > 0 && !row.given_up_at)).toBe(true)
    }, soon)
  }
  // What admins and monitors see of it: those that are more than ten minutes late.
  expect((await backend.mail.waiting()).late).toBeGreaterThan(2)

  const server = await aMailServer(port)
  backend.clock.advance(HOUR)
  sent.push('after@example.com')
  await aClient(backend).auth.signUp({ email: 'after@example.com', password: PASSWORD })
  await vi.waitFor(async () => expect(await waiting(backend)).toEqual([]), soon)
  expect(server.recipients.toSorted()).toEqual(sent.toSorted())
  expect(await backend.mail.waiting()).toMatchObject({ late: 0, givenUp: 0 })
})

test('a mail unsent when the process stopped is sent by the next one', async () => {
  const port = await freePort()
  const first = await aBackend(`smtp://127.0.0.1:${port}`)
  await aServer(first).auth.admin.inviteUserByEmail('ivy@example.com')
  await vi.waitFor(async () => expect((await waiting(first))[0]?.last_error).toBeTruthy(), soon)
  const server = await aMailServer(port)
  await first.app.close()
  const next = await startBackend({
    databaseUrl: first.superuserUrl,
    keys: { ...(await makeInstallationKeys()), databasePassword: TEST_PASSWORD },
    siteUrl: first.url,
    dataDir: '/nonexistent',
    productName: 'Test',
    smtpUrl: `smtp://127.0.0.1:${port}`,
    log: pino({ level: 'silent' }),
  })
  closers.push(() => next.close())
  await vi.waitFor(() => expect(server.recipients).toEqual(['ivy@example.com']), soon)
})

test('a mail to a nonexistent mailbox is abandoned and reported, to a busy one retried', async () => {
  let busy = 0
  const server = await aMailServer(await freePort(), {
    onRcptTo({ address }, _session, done) {
      const refuse = (responseCode: number) =>
        done(Object.assign(new Error('no'), { responseCode }))
      if (address.startsWith('gone')) refuse(550)
      else if (address.startsWith('busy') && busy++ < 1) refuse(451)
      else done()
    },
  })
  const onMailGivenUp = vi.fn(async () => undefined)
  const backend = await aBackend(`smtp://127.0.0.1:${server.port}`, { onMailGivenUp })
  await aClient(backend).auth.signUp({ email: 'gone@example.com', password: PASSWORD })
  await aClient(backend).auth.signUp({ email: 'busy@example.com', password: PASSWORD })
  await vi.waitFor(() => expect(server.recipients).toEqual(['busy@example.com']), soon)
  await vi.waitFor(async () => {
    const rows = await waiting(backend)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.given_up_at).not.toBeNull()
  }, soon)
  // Who started the backend learns of it, once.
  await vi.waitFor(() => expect(onMailGivenUp).toHaveBeenCalled(), soon)
  expect(onMailGivenUp).toHaveBeenCalledExactlyOnceWith({
    to: 'gone@example.com',
    reason: expect.stringContaining('no') as string,
    createdAt: expect.any(Date) as Date,
  })
})

test('the mail server’s user name and password are used', async () => {
  const server = await aMailServer(await freePort(), {
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'mailer' && password === 'p@ss/word') done(null, { user: username })
      else done(new Error('wrong'))
    },
  })
  const url = `smtp://mailer:${encodeURIComponent('p@ss/word')}@127.0.0.1:${server.port}`
  const backend = await aBackend(url)
  await aClient(backend).auth.signUp({ email: 'ann@example.com', password: PASSWORD })
  await vi.waitFor(() => expect(server.recipients).toEqual(['ann@example.com']), soon)
})

// 0.0.0.0 reaches this machine too, but is not a loopback address.
test.each([
  { address: 'smtp://0.0.0.0:PORT', arrives: false },
  { address: 'smtp://0.0.0.0:PORT?requireTLS=false', arrives: true },
])('without TLS, $address receives the mail: $arrives', async ({ address, arrives }) => {
  const server = await aMailServer(await freePort())
  const backend = await aBackend(address.replace('PORT', String(server.port)))
  await aClient(backend).auth.signUp({ email: 'ann@example.com', password: PASSWORD })
  await vi.waitFor(async () => {
    const [mail] = await waiting(backend)
    if (arrives) expect(server.recipients).toEqual(['ann@example.com'])
    else expect(mail?.last_error).toMatch(/STARTTLS/i)
  }, soon)
  expect(server.mails).toHaveLength(arrives ? 1 : 0)
})

test('an installation can customize mails with the placeholders of hosted Supabase', async () => {
  const server = await aMailServer(await freePort())
  const backend = await aBackend(`smtp://127.0.0.1:${server.port}`, {
    templates: {
      recovery: {
        subject: 'Hello {{ .Email }}',
        html: '<a href="{{ .ConfirmationURL }}">go</a> {{ .Token }} {{ .SiteURL }}',
      },
    },
  })
  await aServer(backend).auth.admin.createUser({ email: 'ann@example.com', email_confirm: true })
  await call(backend, '/recover', { body: { email: 'ann@example.com' } })
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), soon)
  const [mail] = server.mails
  expect(mail?.subject).toBe('Hello ann@example.com')
  expect(mail?.html).toMatch(
    /^<a href="http:\/\/127\.0\.0\.1:\d+\/auth\/v1\/verify\?token=\w+&amp;type=recovery/,
  )
})
