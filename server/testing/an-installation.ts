// A whole installation with the demo team, in a folder of its own, as `npm run demo` starts it.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadInstallationKeys } from 'backend/http/installation-keys.ts'
import { freePort } from 'backend/postgres/free-port.ts'
import { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { openDatabaseOf } from '../src/backup/installation.ts'
import type { SchemaFolders } from '../src/backup/restore/plan-load.ts'
import { readSettings, type Settings } from '../src/settings.ts'
import { startServer, type RunningServer } from '../src/start-server.ts'
import { copyDemo } from './copy-demo.ts'

export const PNG_HEAD = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const MAYA = 'maya.ortiz@example.com'
export const DEMO_PASSWORD = 'rally-demo'

/** Counts all records of the archive but those that a server adds by itself: it records sent files and queues messages for review. */
export const LASTING_RECORDS =
  "(select count(*) from archive.records where kind not in ('message.file', 'review.queued'))"

type Tokens = { access_token: string; refresh_token: string; user: { id: string } }

export type Installation = Awaited<ReturnType<typeof anInstallation>>

/** Settings for an installation in `dataDir`, on a port of its own. */
export async function settingsFor(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<Settings> {
  return readSettings({
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    RATE_LIMIT_FACTOR: '0',
    ...environment,
  })
}

export const aFolder = () => mkdtemp(join(tmpdir(), 'installation-'))

/** @param options `dataDir`: an existing installation's; without one, a new one is made. `schema`: another version's. */
export async function anInstallation(
  options: {
    dataDir?: string
    environment?: Record<string, string>
    demo?: boolean
    schema?: SchemaFolders
  } = {},
) {
  const isDemo = options.demo ?? !options.dataDir
  const dataDir = options.dataDir ?? (await aFolder())
  if (isDemo && !options.dataDir) await copyDemo(dataDir, settingsFor)
  const settings = await settingsFor(dataDir, options.environment)
  let server: RunningServer | null = await startServer(settings, {
    demo: isDemo,
    withoutWebApp: true,
    schema: options.schema,
  })
  const { url } = server
  const { publishableKey, secretKey } = await loadInstallationKeys(dataDir)

  async function send(path: string, init: RequestInit & { token?: string } = {}) {
    const { token, ...rest } = init
    const headers = new Headers(init.headers)
    headers.set('apikey', token === secretKey ? secretKey : publishableKey)
    if (token && token !== secretKey) headers.set('authorization', `Bearer ${token}`)
    return fetch(url + path, { ...rest, headers })
  }
  async function ask<Result>(path: string, body: object, token?: string): Promise<Result> {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body), token }
    const response = await send(path, init)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Result
  }

  return {
    dataDir,
    settings,
    url,
    publishableKey,
    secretKey,
    send,
    signIn: (email = MAYA) =>
      ask<Tokens>('/auth/v1/token?grant_type=password', { email, password: DEMO_PASSWORD }),
    refresh: (refresh_token: string) =>
      ask<Tokens>('/auth/v1/token?grant_type=refresh_token', { refresh_token }),
    async upload(name: string, bytes: Buffer, bucket = 'images', token = secretKey) {
      const headers = { 'content-type': 'image/png' }
      const body = new Uint8Array(Buffer.concat([PNG_HEAD, bytes]))
      const path = `/storage/v1/object/${bucket}/${name}`
      const response = await send(path, { method: 'POST', headers, body, token })
      if (!response.ok) throw new Error(await response.text())
    },
    async download(name: string, bucket = 'images'): Promise<Buffer | null> {
      const response = await send(`/storage/v1/object/${bucket}/${name}`, { token: secretKey })
      const bytes = Buffer.from(await response.arrayBuffer())
      return response.ok ? bytes.subarray(PNG_HEAD.length) : null
    },
    async remove(name: string, bucket = 'images') {
      const path = `/storage/v1/object/${bucket}/${name}`
      await send(path, { method: 'DELETE', token: secretKey })
    },
    /** As the superuser. */
    async sql<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
      return sqlIn<Row>(settings, text, values)
    },
    vapidKey: async () =>
      (JSON.parse(await readFile(join(dataDir, 'push-keys.json'), 'utf8')) as { publicKey: string })
        .publicKey,
    async stop() {
      await server?.close()
      server = null
    },
    async close() {
      await server?.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** One statement in the database of an installation, running or not, as the superuser. */
export async function sqlIn<Row = Record<string, unknown>>(
  settings: Settings,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const database = await openDatabaseOf(settings)
  const client = new GuardedClient({ connectionString: database.url })
  try {
    await client.connect()
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end()
    await database.stop()
  }
}
