// Uploads through a network that breaks arrive whole and once; they go on at another process, and after one was killed.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startBackend, type Backend } from '../src/gateway/start-backend.ts'
import { makeInstallationKeys } from '../src/http/installation-keys.ts'
import { freePort } from '../src/postgres/free-port.ts'
import { startCuttingProxy } from '../testing/cutting-proxy.ts'
import { TEST_PASSWORD } from '../testing/passwords.ts'
import { RandomChoice } from '../testing/random-choice.ts'
import { startS3Service, type S3Service } from '../testing/s3-service.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { createUpload, sendPart, startUpload, tusRequest } from '../testing/tus-client.ts'
import { openClient } from './storage-client.ts'

const MIB = 1024 * 1024
const sql = "insert into storage.buckets (id, name, public) values ('box', 'box', false)"
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const named = (objectName: string) => ({ bucketName: 'box', objectName })

let store: S3Service
let keys: Awaited<ReturnType<typeof makeInstallationKeys>> & { databasePassword: string }
let ended: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  store = await startS3Service()
  keys = { ...(await makeInstallationKeys()), databasePassword: TEST_PASSWORD }
})
afterAll(() => store.close())
afterEach(async () => {
  for (const end of ended.reverse()) await end()
  ended = []
  store.objects.clear()
})

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'resumable-network-'))
  ended.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function aBackend(dataDir: string, s3?: S3Service['settings']): Promise<TestBackend> {
  const backend = await startTestBackend({ sql, settings: { keys, dataDir, s3 } })
  ended.push(() => backend.close())
  return { ...backend, secretKey: keys.secretKey, publishableKey: keys.publishableKey }
}

/** Another process on the same database. */
async function another(first: TestBackend, dataDir: string, s3?: S3Service['settings']) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const backend: Backend = await startBackend({
    ...{ databaseUrl: first.superuserUrl, keys, siteUrl: url, dataDir, s3, productName: 'Test' },
    log: pino({ level: 'silent' }),
  })
  await backend.app.listen({ port, host: '127.0.0.1' })
  ended.push(() => backend.close())
  return { url, apikey: keys.secretKey }
}

const senderOf = ({ url }: TestBackend) => ({ url, apikey: keys.secretKey })

async function digestAt(backend: TestBackend, name: string): Promise<string> {
  const { data } = await openClient(backend.url, keys.secretKey).storage.from('box').download(name)
  return digest(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)))
}

async function filesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.name.length === 36).length
}

test('20 files sent through a network that breaks arrive whole and once', async () => {
  const dataDir = await aFolder()
  const backend = await aBackend(dataDir)
  const random = new RandomChoice(20)
  const network = await startCuttingProxy(backend.url, { random, most: MIB })
  ended.push(() => network.close())
  const files = Array.from({ length: 20 }, (_, index) => ({
    name: `${index}.bin`,
    bytes: randomBytes(index === 0 ? 8 * MIB : 1 + random.count(MIB)),
  }))
  const waiting = [...files]
  const sendNext = async (): Promise<void> => {
    const file = waiting.pop()
    if (!file) return
    await startUpload({ ...senderOf(backend), url: network.url }, file.bytes, named(file.name), {
      retryDelays: Array.from({ length: 50 }, () => 20),
    }).done
    return sendNext()
  }
  await Promise.all([1, 2, 3].map(sendNext))

  expect(network.cuts()).toBeGreaterThan(10)
  for (const { name, bytes } of files) expect(await digestAt(backend, name)).toBe(digest(bytes))
  const { rows } = await backend.database
    .asService('storage', 'inspection')
    .query({ text: 'select count(*)::int as objects from storage.objects' })
  expect(rows).toEqual([{ objects: files.length }])
  expect(await filesIn(dataDir)).toBe(files.length)
}, 120_000)

test('what arrived before the connection broke is kept', async () => {
  const backend = await aBackend(await aFolder())
  const sender = senderOf(backend)
  const { headers } = await createUpload(sender, 5 * MIB, named('kept.bin'))
  const location = headers.get('location') ?? ''
  const broken = new AbortController()
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(3 * MIB)),
    async pull() {
      await new Promise((resolve) => setTimeout(resolve, 300))
      broken.abort()
    },
  })
  await fetch(backend.url + location, {
    ...{ method: 'PATCH', body, duplex: 'half', signal: broken.signal },
    headers: {
      ...{ apikey: keys.secretKey, 'tus-resumable': '1.0.0', 'upload-offset': '0' },
      'content-type': 'application/offset+octet-stream',
    },
  }).catch(() => undefined)
  const offset = async () =>
    Number((await tusRequest(sender, 'HEAD', location)).headers.get('upload-offset'))
  // What was still in the network when it broke is lost.
  await expect.poll(offset).toBeGreaterThan(2 * MIB)
})

test.each(['one folder', 'S3, each with a disk of its own'])(
  'an upload goes on at another process over %s',
  async (files) => {
    const s3 = files === 'one folder' ? undefined : store.settings
    const dataDir = await aFolder()
    const backend = await aBackend(dataDir, s3)
    const second = await another(backend, s3 ? await aFolder() : dataDir, s3)
    const bytes = randomBytes(13 * MIB)
    const { headers } = await createUpload(senderOf(backend), bytes.length, named('two.bin'))
    const location = headers.get('location') ?? ''
    const half = bytes.subarray(0, 7 * MIB)
    expect((await sendPart(senderOf(backend), location, 0, new Uint8Array(half))).status).toBe(204)
    await startUpload(second, bytes, named('two.bin'), { uploadUrl: second.url + location }).done
    expect(await digestAt(backend, 'two.bin')).toBe(digest(bytes))
    expect(s3 ? store.objects.size : await filesIn(dataDir)).toBe(1)
  },
)

test('while the store is out of reach an upload stays where it is, and goes on later', async () => {
  const backend = await aBackend(await aFolder(), store.settings)
  const sender = senderOf(backend)
  const { headers } = await createUpload(sender, 10, named('away.txt'))
  const location = headers.get('location') ?? ''
  await sendPart(sender, location, 0, 'hello')
  store.fail(1000)
  expect(await sendPart(sender, location, 5, 'world')).toMatchObject({ status: 503 })
  store.fail(0)
  const progress = await tusRequest(sender, 'HEAD', location)
  expect(progress.headers.get('upload-offset')).toBe('5')
  expect((await sendPart(sender, location, 5, 'world')).headers.get('tus-complete')).toBe('1')
})

test('all bytes there and no file yet, as after a kill: asking how far it is finishes it, once', async () => {
  const dataDir = await aFolder()
  const backend = await aBackend(dataDir)
  const second = await another(backend, dataDir)
  const sender = senderOf(backend)
  const { headers } = await createUpload(sender, 5, named('late.txt'))
  const location = headers.get('location') ?? ''
  const run = (text: string) => backend.database.asService('storage', 'arranging').query({ text })
  // The end of an upload is refused, so all bytes are recorded and there is no object.
  await run(`alter table storage.objects add constraint stopped
       check (coalesce(current_setting('storage.resumable_upload', true), '') = '') not valid`)
  expect((await sendPart(sender, location, 0, 'hello')).status).toBe(400)
  await run('alter table storage.objects drop constraint stopped')
  const asked = await Promise.all(
    [sender, second, sender, second].map((each) => tusRequest(each, 'HEAD', location)),
  )
  expect(asked.map((each) => each.headers.get('upload-offset'))).toEqual(['5', '5', '5', '5'])
  expect(await digestAt(backend, 'late.txt')).toBe(digest(Buffer.from('hello')))
  expect(await filesIn(dataDir)).toBe(1)
})
