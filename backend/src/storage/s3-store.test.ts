import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { receiveDraft } from './draft.ts'
import { createObjectStore, type ObjectBody, type ObjectStore } from './object-store.ts'

/** An S3 service that keeps its objects in memory and insists on signatures. */
const kept = new Map<string, Buffer>()
let failures = 0
const fake: Server = createServer((request, response) => void answer(request, response))
let directory: string
let s3: ObjectStore

async function answer(request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const say = (status: number, body: Buffer | string = '') => response.writeHead(status).end(body)
  const signed =
    /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/eu-test\/s3\/aws4_request, SignedHeaders=\S*host/
  if (!signed.test(request.headers.authorization ?? '')) return say(403, 'unsigned')
  if (failures-- > 0) return say(503, 'slow down')
  const key = request.url ?? ''
  const source = request.headers['x-amz-copy-source']
  const held = kept.get(key)
  if (request.method === 'DELETE') return kept.delete(key) ? say(204) : say(404)
  if (request.method === 'PUT') {
    const bytes = source === undefined ? Buffer.concat(chunks) : kept.get(String(source))
    if (!bytes) return say(404)
    if (source === undefined && request.headers['content-length'] === undefined) return say(411)
    kept.set(key, bytes)
    return say(200)
  }
  if (!held) return say(404)
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  return from ? say(206, held.subarray(Number(from), Number(to) + 1)) : say(200, held)
}

beforeAll(async () => {
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
  directory = await mkdtemp(join(tmpdir(), 's3-store-'))
  s3 = createObjectStore({
    directory,
    s3: {
      endpoint: `http://127.0.0.1:${(fake.address() as AddressInfo).port}/`,
      region: 'eu-test',
      bucket: 'team',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      prefix: 'rally/',
    },
  })
})
afterAll(async () => {
  await new Promise((resolve) => fake.close(resolve))
  await rm(directory, { recursive: true, force: true })
})
beforeEach(() => {
  failures = 0
})

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
  failures = 2
  await s3.keep(draft, version)
  expect(await textOf(await s3.read(version, 1, null))).toBe('x')
})

test('a lasting failure is an error, and the draft is still there to be tried or discarded', async () => {
  const source = (async function* () {
    yield Buffer.from('x')
  })()
  const draft = await receiveDraft(source, { directory, id: randomUUID(), limit: 10 })
  failures = 100
  await expect(s3.keep(draft, randomUUID())).rejects.toThrow('answered 503')
  await access(draft.path)
})

async function textOf(body: ObjectBody | null): Promise<string | null> {
  return body && new Response(body).text()
}
