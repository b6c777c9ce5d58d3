import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from 'backend/postgres/free-port.ts'
import { runScript } from 'backend/postgres/migrations.ts'
import { cloneDatabase, databaseUrl, dropDatabase } from 'backend/testing/test-cluster.ts'
import { readSettings } from './settings.ts'
import { startServer, type RunningServer } from './start-server.ts'

let dataDir: string
let server: RunningServer
let url: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'server-'))
  const port = await freePort()
  url = `http://localhost:${port}`
  const settings = readSettings({
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...(await aStore()),
  })
  server = await startServer(settings, { withoutWebApp: true })
})
afterAll(async () => {
  await server.close()
  store.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Accepts every upload; backend/conformance/storage-s3.test.ts tests the store itself. */
const put: { path: string; signedBy: string; text: string }[] = []
const store = createHttpServer((request, response) => {
  const { headers, method, url: path = '' } = request
  text(request).then(
    (body) => {
      const signedBy = /Credential=([^,]+),/.exec(headers.authorization ?? '')?.[1] ?? ''
      if (method === 'PUT') put.push({ path, signedBy, text: body })
      response.end()
    },
    () => response.destroy(),
  )
})

async function aStore() {
  store.listen(0, '127.0.0.1')
  await once(store, 'listening')
  return {
    S3_ENDPOINT: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    S3_REGION: 'eu-test',
    S3_BUCKET: 'team',
    S3_ACCESS_KEY_ID: 'AKIATEST',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
}

/** Output and exit code of the program started with these settings. */
async function startWith(environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [inject('programs').main, '--without-web-app', ...args], {
    env: { ...process.env, ...environment },
  })
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said: said.trim() }
}

/** Connections that the system has completed and the server has not taken yet, as Linux counts them. */
function waitingAt(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const listening = new RegExp(`:${hex} [0-9A-F]+:0000 0A [0-9A-F]+:([0-9A-F]+)`, 'g')
  const known = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFileSync(file, 'utf8')).join()
  return Math.max(...[...known.matchAll(listening)].map(([, count = '']) => parseInt(count, 16)))
}

test.runIf(process.platform === 'linux')(
  'a thousand phones that connect in the same moment are all taken: none has to try again',
  async () => {
    const port = Number(new URL(url).port)
    const phones = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1'))
    // All have connected before the event loop goes on to take the first.
    await new Promise(process.nextTick)
    expect(waitingAt(port)).toBe(phones.length)
    phones.forEach((phone) => phone.destroy())
  },
)

test('health responds with 200 once everything is ready', async () => {
  const response = await fetch(`${url}/health`)
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
})

test('the browser talks to the address it opened, and learns the site’s, the publishable key, that questions may go together, and nothing else', async () => {
  const config = (await (await fetch(`${url}/config.json`)).json()) as Record<string, string>
  const names = ['supabaseUrl', 'siteUrl', 'supabaseKey', 'takesBatches', 'hasMailbox']
  expect(Object.keys(config)).toEqual(names)
  expect(config).toMatchObject({ supabaseUrl: '/', siteUrl: url })
  expect(config.supabaseKey).toMatch(/^sb_publishable_/)
})

async function secretKey() {
  const keys = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8')) as Keys
  return keys.secretKey
}
type Keys = { secretKey: string }

test('a borrowed phone changes no password: that takes the current one', async () => {
  const ask = async (path: string, body: object, { method = 'POST', token = '' } = {}) => {
    const apikey = await secretKey()
    const response = await fetch(`${url}/auth/v1/${path}`, {
      method,
      headers: { apikey, authorization: `Bearer ${token || apikey}` },
      body: JSON.stringify(body),
    })
    const result = (await response.json()) as { access_token?: string; error_code?: string }
    return { status: response.status, ...result }
  }
  const account = { email: 'owner@example.com', password: 'the first one' }
  await ask('admin/users', { ...account, email_confirm: true })
  const { access_token: token } = await ask('token?grant_type=password', account)
  const change = { method: 'PUT', token }
  expect(await ask('user', { password: 'the second one' }, change)).toMatchObject({
    status: 400,
    error_code: 'current_password_required',
  })
})

test('uploads go to the configured S3 store', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const upload = await fetch(`${url}/storage/v1/object/images/one.png`, {
    method: 'POST',
    headers: { apikey: await secretKey(), 'content-type': 'image/png' },
    body: png,
  })
  expect(upload.status).toBe(200)
  expect(put).toMatchObject([{ path: expect.stringMatching(/^\/team\/[\w-]+$/) as string }])
  expect(put[0]?.signedBy).toMatch(/^AKIATEST\/\d{8}\/eu-test\/s3\/aws4_request$/)
  expect(put[0]?.text).toContain('PNG')
})

test('without a mail server the mailbox is locked, even on this machine, until opened with the printed secret', async () => {
  expect((await fetch(`${url}/_mail/messages.json`)).status).toBe(401)
  const opened = await fetch(`${url}/_mail/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `secret=${server.mailboxSecret}`,
    redirect: 'manual',
  })
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const mails = await fetch(`${url}/_mail/messages.json`, { headers: { cookie } })
  expect([mails.status, await mails.json()]).toEqual([200, []])
})

test('an admin opens the mailbox without the secret, another member does not', async () => {
  const { secretKey, publishableKey } = JSON.parse(
    await readFile(join(dataDir, 'keys.json'), 'utf8'),
  ) as Record<string, string>
  const ask = async (path: string, body: object, apikey = publishableKey ?? '') => {
    const headers = { apikey, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await (await fetch(`${url}/auth/v1/${path}`, init)).json()) as Record<string, string>
  }
  const open = async (email: string) => {
    const account = { email, password: 'correct horse' }
    await ask('admin/users', { ...account, email_confirm: true }, secretKey)
    const { access_token } = await ask('token?grant_type=password', account)
    const headers = { apikey: publishableKey ?? '', authorization: `Bearer ${access_token}` }
    // The first to know the printed code becomes admin.
    await fetch(`${url}/rest/v1/rpc/claim_team`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ code: server.setUpCode }),
    })
    return (await fetch(`${url}/_mail/open`, { method: 'POST', headers })).status
  }
  expect(await open('first@example.com')).toBe(204)
  expect(await open('second@example.com')).toBe(403)
})

test('mails to people whom nobody has let in do not use up those of the team', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'server-'))
  const port = await freePort()
  const settings = readSettings({
    ...{ PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'silent', TRUST_PROXY: '1' },
    // Two mails an hour to people who are not on the team, forty to members.
    RATE_LIMIT_FACTOR: '0.04',
  })
  const strict = await startServer(settings, { withoutWebApp: true })
  try {
    const { secretKey = '', publishableKey = '' } = JSON.parse(
      await readFile(join(folder, 'keys.json'), 'utf8'),
    ) as Record<string, string>
    const ask = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const init = { method: 'POST', body: JSON.stringify(body) }
      const sent = { apikey: publishableKey, 'content-type': 'application/json', ...headers }
      const response = await fetch(`http://localhost:${port}${path}`, { ...init, headers: sent })
      const text = await response.text()
      return (text ? JSON.parse(text) : {}) as Record<string, string>
    }
    const people = ['first', 'second', 'third', 'fourth'].map((name) => `${name}@example.com`)
    for (const email of people) {
      const account = { email, password: 'correct horse', email_confirm: true }
      await ask('/auth/v1/admin/users', account, { apikey: secretKey })
    }
    const [admin = ''] = people
    const signIn = '/auth/v1/token?grant_type=password'
    const { access_token } = await ask(signIn, { email: admin, password: 'correct horse' })
    const authorization = `Bearer ${access_token}`
    await ask('/rest/v1/rpc/claim_team', { code: strict.setUpCode }, { authorization })
    for (const [place, email] of people.toReversed().entries())
      await ask('/auth/v1/recover', { email }, { 'x-forwarded-for': `203.0.${place}.1` })
    const opened = await fetch(`http://localhost:${port}/_mail/open`, {
      method: 'POST',
      headers: { apikey: publishableKey, authorization },
    })
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    const mails = await fetch(`http://localhost:${port}/_mail/messages.json`, {
      headers: { cookie },
    })
    const sentTo = ((await mails.json()) as { to: string }[]).map(({ to }) => to)
    expect(sentTo).toEqual([admin, 'third@example.com', 'fourth@example.com'])
  } finally {
    await strict.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('only the owner can read the keys', async () => {
  const { mode } = await stat(join(dataDir, 'keys.json'))
  expect(mode & 0o777).toBe(0o600)
  for (const name of ['', 'storage', 'postgres', 'postgres/log']) {
    const folder = await stat(join(dataDir, name))
    expect([name, folder.mode & 0o066]).toEqual([name, 0])
  }
})

test('a taken port is one clear sentence and exit 1', async () => {
  const port = await freePort()
  const holder = createServer().listen(port, '127.0.0.1')
  await once(holder, 'listening')
  const { code, said } = await startWith({ PORT: String(port), DATA_DIR: `${dataDir}-other` })
  holder.close()
  expect({ code, said }).toEqual({
    code: 1,
    said: `Port ${port} is taken: stop the program that uses it, or set PORT to another number.`,
  })
})

test('a data folder that cannot be written is one clear sentence and exit 1', async () => {
  const file = join(dataDir, 'a-file')
  await writeFile(file, '')
  await chmod(file, 0o444)
  const folder = join(file, 'below')
  const { code, said } = await startWith({ PORT: String(await freePort()), DATA_DIR: folder })
  expect({ code, said }).toEqual({
    code: 1,
    said: `Cannot write to ${folder}: set DATA_DIR to a folder of your own.`,
  })
})

test.runIf(process.platform === 'linux')(
  'so is one where the system makes no folder, instead of trying forever',
  async () => {
    const folder = '/proc/nope/below'
    const { code, said } = await startWith({ PORT: String(await freePort()), DATA_DIR: folder })
    expect({ code, said }).toEqual({
      code: 1,
      said: `Cannot write to ${folder}: set DATA_DIR to a folder of your own.`,
    })
  },
)

test('a data folder that another process uses is one clear sentence and exit 1', async () => {
  const { code, said } = await startWith({ PORT: String(await freePort()), DATA_DIR: dataDir })
  expect({ code, said }).toEqual({
    code: 1,
    said: `Could not start: ${dataDir} is in use by another running process`,
  })
})

test('a database from before the baseline is one clear sentence and exit 1', async () => {
  const clusterUrl = inject('clusterUrl')
  await cloneDatabase(clusterUrl, 'before_baseline', 'with_product')
  const DATABASE_URL = databaseUrl(clusterUrl, 'before_baseline')
  await runScript(
    DATABASE_URL,
    `insert into supabase_migrations.schema_migrations (version) values ('20261102090000')`,
  )
  const { code, said } = await startWith({
    PORT: String(await freePort()),
    DATA_DIR: `${dataDir}-other`,
    DATABASE_URL,
  })
  await dropDatabase(clusterUrl, 'before_baseline')
  expect({ code, said }).toEqual({
    code: 1,
    said:
      'Could not start: this database was made by an earlier, unreleased version: its history has migration ' +
      '20261102090000 that this version does not. Start with a new, empty database. Nothing was changed.',
  })
})

test('a malformed setting and an unknown argument are one clear sentence and exit 1', async () => {
  expect(await startWith({ PORT: 'eighty' })).toEqual({
    code: 1,
    said: 'Setting PORT must be a number.',
  })
  const { code, said } = await startWith({}, '--verbose')
  expect(code).toBe(1)
  expect(said).toMatch(/^Unknown argument --verbose: settings are environment variables/)
})
