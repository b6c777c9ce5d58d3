import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startS3Service, type S3Service } from '../../testing/s3-service.ts'
import { createFileStore } from './file-store.ts'
import type { ObjectBody, ObjectStore } from './object-store.ts'
import { createS3Store } from './s3-store.ts'
import { stageUpload } from './staged-upload.ts'

let service: S3Service
let directory: string
let s3: ObjectStore

beforeAll(async () => {
  service = await startS3Service()
  directory = await mkdtemp(join(tmpdir(), 's3-store-'))
  s3 = createS3Store({ ...service.settings, prefix: 'rally/' })
})
afterAll(async () => {
  await service.close()
  await rm(directory, { recursive: true, force: true })
})
beforeEach(() => service.fail(0))

describe.each([
  ['an S3 service', () => s3],
  ['a directory', () => createFileStore(directory)],
])('%s', (_name, open) => {
  const text = 'forty-two characters make one short story.'

  async function putText(): Promise<string> {
    const version = randomUUID()
    const source = (async function* () {
      yield Buffer.from(text)
    })()
    const staged = await stageUpload(source, { directory, id: randomUUID(), limit: 1000 })
    await open().put(staged, version)
    await expect(access(staged.path)).rejects.toThrow('ENOENT')
    return version
  }

  test('stores a file and returns it, in full and in part', async () => {
    const version = await putText()
    expect(await textOf(await open().read(version, text.length, null))).toBe(text)
    expect(await textOf(await open().read(version, text.length, { start: 6, end: 8 }))).toBe('two')
  })

  test('a copy outlives the original', async () => {
    const version = await putText()
    const copy = randomUUID()
    expect(await open().copy(version, copy)).toBe(true)
    await open().remove([version, randomUUID()])
    expect(await open().read(version, text.length, null)).toBeNull()
    expect(await textOf(await open().read(copy, text.length, null))).toBe(text)
    expect(await open().copy(version, randomUUID())).toBe(false)
  })
})

test('a transient failure of the S3 service is retried', async () => {
  const version = randomUUID()
  const source = (async function* () {
    yield Buffer.from('x')
  })()
  const staged = await stageUpload(source, { directory, id: randomUUID(), limit: 10 })
  service.fail(2)
  await s3.put(staged, version)
  expect(await textOf(await s3.read(version, 1, null))).toBe('x')
})

test('a permanent failure is an error, and the staged upload still exists', async () => {
  const source = (async function* () {
    yield Buffer.from('x')
  })()
  const staged = await stageUpload(source, { directory, id: randomUUID(), limit: 10 })
  service.fail(100)
  await expect(s3.put(staged, randomUUID())).rejects.toMatchObject({
    code: 'StoreUnavailable',
    cause: { message: expect.stringContaining('responded with 503') as string },
  })
  await access(staged.path)
})

test('a bucket that is not there is a failure: it says nothing of its files', async () => {
  const elsewhere = createS3Store({ ...service.settings, bucket: 'nobodys' })
  await expect(elsewhere.read(randomUUID(), 1, null)).rejects.toMatchObject({
    code: 'StoreUnavailable',
    cause: { message: 'object store: there is no such bucket' },
  })
})

test('a request that gets no response ends with the signal', async () => {
  const silent = createServer()
  const asked = once(silent, 'request')
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const stopping = new AbortController()
  const store = createS3Store({ ...service.settings, endpoint }, stopping.signal)
  const read = store.read(randomUUID(), 1, null)
  const ended = expect(read).rejects.toMatchObject({ code: 'StoreUnavailable' })
  await asked
  stopping.abort()
  await ended
  silent.closeAllConnections()
  silent.close()
})

async function textOf(body: ObjectBody | null): Promise<string | null> {
  return body && new Response(body).text()
}
