import { access, mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startS3Service, type S3Service } from '../../testing/s3-service.ts'
import { receiveDraft } from './draft.ts'
import { createObjectStore, type ObjectBody, type ObjectStore } from './object-store.ts'

let service: S3Service
let directory: string
let s3: ObjectStore

beforeAll(async () => {
  service = await startS3Service()
  directory = await mkdtemp(join(tmpdir(), 's3-store-'))
  s3 = createObjectStore({ directory, s3: { ...service.settings, prefix: 'rally/' } })
})
afterAll(async () => {
  await service.close()
  await rm(directory, { recursive: true, force: true })
})
beforeEach(() => service.fail(0))

describe.each([
  ['an S3 service', () => s3],
  ['a directory', () => createObjectStore({ directory })],
])('%s', (_name, open) => {
  const text = 'forty-two characters make one short story.'

  async function keepText(): Promise<string> {
    const version = randomUUID()
    const source = (async function* () {
      yield Buffer.from(text)
    })()
    const draft = await receiveDraft(source, { directory, id: randomUUID(), limit: 1000 })
    await open().keep(draft, version)
    await expect(access(draft.path)).rejects.toThrow('ENOENT')
    return version
  }

  test('keeps bytes and gives them back, whole and in part', async () => {
    const version = await keepText()
    expect(await textOf(await open().read(version, text.length, null))).toBe(text)
    expect(await textOf(await open().read(version, text.length, { start: 6, end: 8 }))).toBe('two')
  })

  test('copies, and the copy outlives the original', async () => {
    const version = await keepText()
    const copy = randomUUID()
    expect(await open().copy(version, copy)).toBe(true)
    await open().remove([version, randomUUID()])
    expect(await open().read(version, text.length, null)).toBeNull()
    expect(await textOf(await open().read(copy, text.length, null))).toBe(text)
    expect(await open().copy(version, randomUUID())).toBe(false)
  })
})

test('a passing failure of the S3 service is tried again', async () => {
  const version = randomUUID()
  const source = (async function* () {
    yield Buffer.from('x')
  })()
  const draft = await receiveDraft(source, { directory, id: randomUUID(), limit: 10 })
  service.fail(2)
  await s3.keep(draft, version)
  expect(await textOf(await s3.read(version, 1, null))).toBe('x')
})

test('a lasting failure is an error, and the draft is still there to be tried or discarded', async () => {
  const source = (async function* () {
    yield Buffer.from('x')
  })()
  const draft = await receiveDraft(source, { directory, id: randomUUID(), limit: 10 })
  service.fail(100)
  await expect(s3.keep(draft, randomUUID())).rejects.toMatchObject({
    code: 'StoreUnavailable',
    cause: { message: expect.stringContaining('answered 503') as string },
  })
  await access(draft.path)
})

async function textOf(body: ObjectBody | null): Promise<string | null> {
  return body && new Response(body).text()
}
