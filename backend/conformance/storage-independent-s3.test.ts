// The storage service on an S3 server that others wrote, through the official client.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  startIndependentS3Server,
  type IndependentS3Server,
} from '../testing/independent-s3-server.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { openClient, type Client } from './storage-client.ts'

const TEXT = 'forty-two characters make one short story.'
let store: IndependentS3Server
let backend: TestBackend
let service: Client

beforeAll(async () => {
  store = await startIndependentS3Server()
  backend = await startTestBackend({ settings: { s3: { ...store.settings, prefix: 'files/' } } })
  service = openClient(backend.url, backend.secretKey)
  await service.storage.createBucket('docs', { public: false })
})
afterAll(async () => {
  await backend?.close()
  await store?.close()
})
beforeEach(() => store.clear())

const docs = () => service.storage.from('docs')
const textAt = async (name: string) => (await docs().download(name)).data?.text()

test('a file is stored and returned, in full and in part', async () => {
  expect((await docs().upload('a/story.txt', TEXT)).error).toBeNull()
  expect(await store.keys()).toEqual([expect.stringMatching(/^files\/[0-9a-f-]{36}$/)])
  expect(await textAt('a/story.txt')).toBe(TEXT)
  const part = await fetch(`${backend.url}/storage/v1/object/authenticated/docs/a/story.txt`, {
    headers: { apikey: backend.secretKey, range: 'bytes=6-8' },
  })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 6-8/42'])
  expect(await part.text()).toBe('two')
})

test('replacing, moving, copying and deleting leave exactly the files in use', async () => {
  await docs().upload('b/one.txt', 'first')
  await docs().upload('b/one.txt', 'second', { upsert: true })
  expect((await docs().move('b/one.txt', 'b/two.txt')).error).toBeNull()
  expect((await docs().copy('b/two.txt', 'b/three.txt')).error).toBeNull()
  expect(await store.keys()).toHaveLength(2)
  expect((await docs().remove(['b/two.txt'])).data).toHaveLength(1)
  expect(await textAt('b/three.txt')).toBe('second')
  expect(await store.keys()).toHaveLength(1)
})

test('a file whose bytes are gone, and a store with another secret, fail as with any store', async () => {
  await docs().upload('c/gone.txt', TEXT)
  await store.clear()
  expect((await docs().download('c/gone.txt')).error).not.toBeNull()
  const wrong = { ...store.settings, secretAccessKey: 'guessed' }
  const other = await startTestBackend({ settings: { s3: wrong } })
  const stranger = openClient(other.url, other.secretKey)
  await stranger.storage.createBucket('docs')
  expect((await stranger.storage.from('docs').upload('e.txt', TEXT)).error).toMatchObject({
    status: 503,
  })
  await other.close()
})
