// What holds for one process holds for two on one Postgres. Elsewhere: push (push-worker-processes.test.ts), mails (auth-mail-server.test.ts),
// nightly backups (nightly-backups.test.ts), sealing (archive-sealing.test.ts), live messages (realtime-processes.test.ts).
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { RealtimeClient, type RealtimeChannel } from '@supabase/supabase-js'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startChatLoad } from '../testing/chat-load.ts'
import {
  processesOnOneDatabase,
  type Processes,
  type ServerProcess,
} from '../testing/server-processes.ts'
import { aProxy } from '../testing/test-proxy.ts'

// Each starts processes, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000, expect: { poll: { timeout: 60_000 } } })

const PASSWORD = 'correct horse battery'

let team: Processes
const recipients: string[] = []
const mailServer = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authOptional: true,
  closeTimeout: 100,
  onData(stream, { envelope }, done) {
    recipients.push(...envelope.rcptTo.map(({ address }) => address))
    stream.resume().on('end', () => done())
  },
})
let one: ServerProcess
let two: ServerProcess
beforeAll(async () => {
  mailServer.listen(0, '127.0.0.1')
  await once(mailServer.server, 'listening')
  const { port } = mailServer.server.address() as AddressInfo
  team = await processesOnOneDatabase({
    RATE_LIMIT_FACTOR: '1',
    SMTP_URL: `smtp://127.0.0.1:${port}?requireTLS=false`,
  })
  ;[one, two] = await Promise.all([team.start(), team.start()])
}, 120_000)
afterAll(async () => {
  await team?.close()
  await new Promise<void>((resolve) => mailServer.close(() => resolve()))
})

const clients: RealtimeClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.disconnect()))
})

async function post(at: ServerProcess, path: string, body: object, token?: string) {
  const response = await fetch(at.url + path, {
    method: 'POST',
    headers: {
      apikey: token === team.secretKey ? token : team.publishableKey,
      'content-type': 'application/json',
      ...(token && token !== team.secretKey ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text ? (JSON.parse(text) as Record<string, string>) : {} }
}

const signIn = (at: ServerProcess, email: string, password = PASSWORD) =>
  post(at, '/auth/v1/token?grant_type=password', { email, password })

async function anAccount(): Promise<{ id: string; email: string }> {
  const email = `${crypto.randomUUID()}@example.com`
  const account = { email, password: PASSWORD, email_confirm: true }
  const { body } = await post(one, '/auth/v1/admin/users', account, team.secretKey)
  return { id: body.id ?? '', email }
}

test('wrong passwords count together, wherever they are tried', async () => {
  const { email } = await anAccount()
  const statuses: number[] = []
  for (let n = 0; n < 12; n++)
    statuses.push((await signIn(n % 2 ? two : one, email, 'a wrong password')).status)
  // `auth.wrongPasswordFromHere` allows ten.
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429])
  expect((await signIn(one, email)).status).toBe(429)
  expect((await signIn(two, email)).status).toBe(429)
})

test('mails to one recipient count together, and each mail is sent once', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, anAccount))
  const ask = (at: ServerProcess, email: string) => post(at, '/auth/v1/recover', { email })
  for (const [n, { email }] of accounts.entries()) {
    const [here, there] = n % 2 ? [one, two] : [two, one]
    expect((await ask(here, email)).status).toBe(200)
    expect((await ask(there, email)).status).toBe(429)
  }
  const expected = accounts.map(({ email }) => email).toSorted()
  await expect.poll(() => recipients.length).toBeGreaterThanOrEqual(expected.length)
  expect(recipients.toSorted()).toEqual(expected)
})

async function channelAt(at: ServerProcess, token: string, topic: string) {
  const client = new RealtimeClient(`${at.url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: team.publishableKey },
    transport: WebSocket as never,
    accessToken: () => Promise.resolve(token),
  })
  clients.push(client)
  await client.setAuth()
  const channel = client.channel(topic, { config: { private: true, presence: { enabled: true } } })
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((_status, error) => (error ? reject(error) : resolve()))
  })
  return channel
}

const isClosed = (channel: RealtimeChannel) => (channel.state as string) === 'closed'

test('who signs out at one process is signed out at the other, also of what they had open there', async () => {
  const { email, id } = await anAccount()
  const { body } = await signIn(one, email)
  const token = body.access_token ?? ''
  const channel = await channelAt(two, token, `user:${id}`)
  const read = () =>
    fetch(`${two.url}/rest/v1/users?limit=1`, {
      headers: { apikey: team.publishableKey, authorization: `Bearer ${token}` },
    })
  expect((await read()).status).toBe(200)
  expect((await post(one, '/auth/v1/logout?scope=global', {}, token)).status).toBe(204)
  expect((await read()).status).toBe(401)
  await expect.poll(() => isClosed(channel)).toBe(true)
})

test('a right taken away at one process closes the live topic at the other', async () => {
  const { id, token } = await team.aMember()
  const [chat] = await team.sql<{ id: string }>(
    "select id from public.chats where type = 'mandatory'",
  )
  const channel = await channelAt(two, token, `chat:${chat?.id}`)
  const change = await fetch(`${one.url}/rest/v1/users?id=eq.${id}`, {
    method: 'PATCH',
    headers: { apikey: team.secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ rally_enabled: false }),
  })
  expect(change.status).toBe(204)
  await expect.poll(() => isClosed(channel)).toBe(true)
})

test('killed with kill -9 under load: clients go on at the other, and nothing that was acknowledged is lost', async () => {
  const proxy = await aProxy([one.port, two.port])
  const load = await startChatLoad(team, proxy.url)
  const { token, id } = await team.aMember()
  const [watching, watched] = [
    await channelAt(one, token, `online:${id}`),
    await channelAt(two, token, `online:${id}`),
  ]
  await watched.track({})
  await expect.poll(() => Object.keys(watching.presenceState())).toHaveLength(1)
  try {
    await expect.poll(() => load.stored.length).toBeGreaterThan(50)
    await two.end('SIGKILL')
    const before = load.stored.length
    await expect.poll(() => load.stored.length).toBeGreaterThan(before + 50)
    two = await team.start({}, two.port)
    const after = load.stored.length
    await expect.poll(() => load.stored.length).toBeGreaterThan(after + 50)
    await load.stop()
    // Whoever was there only through the killed process is gone for the others.
    await clients.at(-1)?.disconnect()
    await expect.poll(() => load.missing()).toEqual([])
    await expect.poll(() => Object.keys(watching.presenceState())).toHaveLength(0)
  } finally {
    await load.close()
    await proxy.close()
  }
  const rows = await team.sql<{ id: string }>('select id from public.chat_messages')
  const stored = new Set(rows.map((row) => row.id))
  expect(load.stored.filter((each) => !stored.has(each))).toEqual([])
  expect(new Set(load.stored).size).toBe(load.stored.length)
})
