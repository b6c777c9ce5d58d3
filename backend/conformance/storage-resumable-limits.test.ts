// Limits and refusals of uploads that are resumed (docs/limits.md).
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../src/storage/context.ts'
import { createFileStore } from '../src/storage/file-store.ts'
import { LIMITS } from '../src/storage/limits.ts'
import { removeOrphans } from '../src/storage/orphaned-files.ts'
import { deleteExpiredUploads } from '../src/storage/resumable/upload-rows.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import {
  createUpload,
  encodeMetadata,
  sendPart,
  tusRequest,
  type TusSender,
} from '../testing/tus-client.ts'
import { openClient } from './storage-client.ts'

const sql = `
  insert into storage.buckets (id, name, public) values ('box', 'box', false);
  insert into storage.buckets (id, name, public, file_size_limit) values ('small', 'small', false, 1000);
  create policy "anyone drops" on storage.objects for insert to anon with check (bucket_id in ('box', 'small'));
`
let backend: TestBackend
let dataDir: string
let anyone: TusSender
let server: TusSender
let free = Infinity

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'resumable-limits-'))
  backend = await startTestBackend({
    sql,
    settings: { dataDir, freeBytes: () => Promise.resolve(free) },
  })
  anyone = { url: backend.url, apikey: backend.publishableKey }
  server = { url: backend.url, apikey: backend.secretKey }
})
afterAll(async () => {
  await backend.close()
  await rm(dataDir, { recursive: true, force: true })
})
afterEach(async () => {
  free = Infinity
  await run('delete from storage.resumable_uploads')
})

const run = (text: string, values: unknown[] = []) =>
  backend.database.asService('storage', 'arranging').query({ text, values })
const aStorage = (): Storage => ({
  ...{ database: backend.database, tokens: backend.tokens, clock: backend.clock },
  log: pino({ level: 'silent' }),
  store: createFileStore(join(dataDir, 'storage')),
  stagingDirectory: join(dataDir, 'storage', 'drafts'),
  slots: new Map(),
  freeBytes: () => Promise.resolve(Infinity),
})
const named = (objectName: string, bucketName = 'box') => ({ bucketName, objectName })

async function begin(length: number, name = 'x.txt', by = anyone): Promise<string> {
  const { headers } = await createUpload(by, length, named(name))
  return headers.get('location') ?? ''
}
async function filesOnDisk(): Promise<number> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.name.length === 36).length
}

const X = encodeMetadata(named('x.txt'))

describe('what begins no upload', () => {
  test.each([
    ['no length', { 'upload-length': '' }, 400],
    ['a length that is no number', { 'upload-length': '1e3' }, 400],
    ['a negative length', { 'upload-length': '-1' }, 400],
    ['an unknown length', { 'upload-defer-length': '1' }, 501],
    ['a part of a parallel upload', { 'upload-concat': 'partial' }, 501],
    ['another version', { 'tus-resumable': '0.2.2' }, 412],
    ['no metadata', { 'upload-metadata': '' }, 400],
    ['metadata that is no base64', { 'upload-metadata': 'bucketName b%x' }, 400],
    ['metadata that is no text', { 'upload-metadata': 'bucketName //79' }, 400],
    [
      'custom metadata that is no object',
      { 'upload-metadata': `${X},metadata ${Buffer.from('[]').toString('base64')}` },
      400,
    ],
    [
      'custom metadata that Postgres cannot store',
      { 'upload-metadata': `${X},metadata ${Buffer.from('{"a":"\\u0000"}').toString('base64')}` },
      400,
    ],
    ['a key twice', { 'upload-metadata': 'bucketName Ym94,bucketName Ym94' }, 400],
    [
      'too much metadata',
      { 'upload-metadata': `note ${'A'.repeat(LIMITS.resumableMetadataBytes)}` },
      400,
    ],
  ])('%s', async (_what, headers, status) => {
    expect((await createUpload(anyone, 1, named('x.txt'), headers)).status).toBe(status)
  })

  test.each(['../x', 'a/../../x', '/etc/passwd', 'a//b', 'a\0b', 'a\\b', 'x'.repeat(1025), ''])(
    'the name %j',
    async (name) => {
      expect((await createUpload(anyone, 1, named(name))).status).toBe(400)
    },
  )

  test('a bucket that is not there, or that the caller may not write to', async () => {
    expect(await createUpload(anyone, 1, named('x', 'none'))).toMatchObject({ status: 404 })
    await openClient(backend.url, backend.secretKey).storage.createBucket('closed')
    expect(await createUpload(anyone, 1, named('x', 'closed'))).toMatchObject({ status: 403 })
  })

  test('more bytes than the bucket or the installation takes', async () => {
    expect(await createUpload(anyone, 1001, named('x', 'small'))).toMatchObject({ status: 413 })
    expect(await createUpload(anyone, LIMITS.fileBytes + 1, named('x'))).toMatchObject({
      status: 413,
      code: 'EntityTooLarge',
    })
  })

  test('a disk that is nearly full', async () => {
    free = LIMITS.freeDiskBytes - 1
    expect(await createUpload(anyone, 1, named('x'))).toMatchObject({ status: 507 })
  })
})

describe('unfinished uploads', () => {
  const insertMany = (uploader: string, count: number, length: number) =>
    run(
      `insert into storage.resumable_uploads
         (id, bucket_id, name, role, uploader, upsert, length, cache_control, user_metadata, metadata, expires_at)
       select gen_random_uuid(), 'box', 'x', 'anon', $1, false, $3, '', '{}', '', now() + interval '1 day'
       from generate_series(1, $2)`,
      [uploader, count, length],
    )
  const status = async (by = anyone, length = 10) =>
    (await createUpload(by, length, named('more.txt'))).status
  const OWN = '127.0.0.1'

  test('of one caller are limited in number; others are unaffected', async () => {
    await insertMany(OWN, LIMITS.openUploadsPerCaller - 1, 1)
    expect(await status()).toBe(201)
    expect(await createUpload(anyone, 1, named('x'))).toMatchObject({
      status: 429,
      code: 'TooManyRequests',
    })
    expect(await status(server)).toBe(201)
    await run('update storage.resumable_uploads set finished_at = now()')
    expect(await status()).toBe(201)
  })

  test('of one caller are limited in bytes', async () => {
    await insertMany(OWN, 1, LIMITS.openUploadBytesPerCaller - 10)
    expect([await status(anyone, 11), await status(anyone, 10)]).toEqual([429, 201])
  })

  test.each([
    ['number', LIMITS.openUploads, 1],
    ['bytes', 1, LIMITS.openUploadBytes],
  ])('of all are limited in %s', async (_what, count, length) => {
    await insertMany('somebody', count, length)
    expect([await status(), await status(server)]).toEqual([429, 429])
  })

  test('many begun at the same moment do not pass the limit together', async () => {
    await insertMany(OWN, LIMITS.openUploadsPerCaller - 2, 1)
    const all = await Promise.all([1, 2, 3, 4].map(() => status()))
    expect(all.sort()).toEqual([201, 201, 429, 429])
  })

  test('expire after a day and are removed with their bytes', async () => {
    const before = await filesOnDisk()
    const location = await begin(10, 'old.txt')
    await sendPart(anyone, location, 0, 'hello')
    expect(await filesOnDisk()).toBe(before + 1)
    await run("update storage.resumable_uploads set expires_at = now() - interval '1 second'")
    expect(await tusRequest(anyone, 'HEAD', location)).toMatchObject({ status: 410 })
    expect(await sendPart(anyone, location, 5, 'world')).toMatchObject({ code: 'UploadExpired' })
    const storage = aStorage()
    await deleteExpiredUploads(storage)
    await removeOrphans(storage)
    expect((await tusRequest(anyone, 'HEAD', location)).status).toBe(404)
    expect(await filesOnDisk()).toBe(before)
  })
})

describe('a part', () => {
  test('at another offset than the upload’s is refused', async () => {
    const location = await begin(10)
    expect(await sendPart(anyone, location, 1, 'x')).toMatchObject({ code: 'OffsetConflict' })
    expect((await sendPart(anyone, location, 0, 'hello')).status).toBe(204)
    expect(await sendPart(anyone, location, 0, 'hello')).toMatchObject({ status: 409 })
    expect((await sendPart(anyone, location, Number.NaN, 'x')).status).toBe(400)
  })

  test('that is larger than what is left is refused, announced or not', async () => {
    const location = await begin(10)
    expect((await sendPart(anyone, location, 0, 'x'.repeat(11))).status).toBe(413)
    const unannounced = new Blob(['x'.repeat(11)]).stream()
    expect((await sendPart(anyone, location, 0, unannounced)).status).toBe(413)
    const { headers } = await tusRequest(anyone, 'HEAD', location)
    expect(headers.get('upload-offset')).toBe('0')
  })

  test('of another type or version is refused', async () => {
    const location = await begin(10)
    const send = (headers: Record<string, string>) => sendPart(anyone, location, 0, 'x', headers)
    expect((await send({ 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send({ 'tus-resumable': '2.0.0' })).status).toBe(412)
  })

  test('sent twice at the same moment is stored once', async () => {
    const location = await begin(10)
    const responses = await Promise.all(
      ['first', 'other', 'third'].map((text) => sendPart(anyone, location, 0, text)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409, 409])
    const winner = responses.findIndex(({ status }) => status === 204)
    await sendPart(anyone, location, 5, '-last')
    const { data } = await openClient(backend.url, backend.secretKey)
      .storage.from('box')
      .download('x.txt')
    expect(await data?.text()).toBe(`${['first', 'other', 'third'][winner]}-last`)
  })

  test('is one of a limited number', async () => {
    const location = await begin(10, 'many.txt')
    const id = location.split('/').at(-1)
    await run(
      `insert into storage.resumable_parts select $1, -n, 0, 'none' from generate_series(1, $2) n`,
      [id, LIMITS.partsPerUpload - 1],
    )
    expect((await sendPart(anyone, location, 0, 'x')).status).toBe(204)
    expect((await sendPart(anyone, location, 1, 'x')).status).toBe(400)
  })

  test('of an address that is no upload is refused', async () => {
    for (const id of ['x', '..%2f..%2fkeys.json', 'sign/x', crypto.randomUUID()])
      expect((await sendPart(anyone, `/${id}`, 0, 'x')).status).toBe(404)
  })
})
