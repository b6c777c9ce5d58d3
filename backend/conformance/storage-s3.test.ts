// The storage service on an S3 store that verifies signatures, through the official client.
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startS3Service, type S3Service } from '../testing/s3-service.ts'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { openClient, type Client } from './storage-client.ts'

const TEXT = 'forty-two characters make one short story.'
let store: S3Service
let backend: TestBackend
let service: Client
let owner: pg.Client

beforeAll(async () => {
  store = await startS3Service()
  backend = await startTestBackend({ settings: { s3: store.settings } })
  service = openClient(backend.url, backend.secretKey)
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await service.storage.createBucket('docs', { public: false })
})
afterAll(async () => {
  await owner.end()
  await backend.close()
  await store.close()
})
afterEach(() => {
  store.fail(0)
  expect(store.refused).toEqual([])
})

const docs = () => service.storage.from('docs')
const textAt = async (name: string) => (await docs().download(name)).data?.text()
const rowsOf = async (name: string) =>
  (await owner.query('select id from storage.objects where name = $1', [name])).rowCount

test('a file is stored and returned, in full and in part', async () => {
  expect((await docs().upload('a/story.txt', TEXT)).error).toBeNull()
  expect([...store.objects.values()].map(String)).toEqual([TEXT])
  expect(await textAt('a/story.txt')).toBe(TEXT)
  const part = await fetch(`${backend.url}/storage/v1/object/authenticated/docs/a/story.txt`, {
    headers: { apikey: backend.secretKey, range: 'bytes=6-8' },
  })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 6-8/42'])
  expect(await part.text()).toBe('two')
})

test('replacing, moving, copying and deleting leave exactly the files in use', async () => {
  store.objects.clear()
  await docs().upload('b/one.txt', 'first')
  await docs().upload('b/one.txt', 'second', { upsert: true })
  expect((await docs().move('b/one.txt', 'b/two.txt')).error).toBeNull()
  expect((await docs().copy('b/two.txt', 'b/three.txt')).error).toBeNull()
  const { data: listed } = await docs().list('b')
  expect(listed?.map(({ name }) => name)).toEqual(['three.txt', 'two.txt'])
  expect([...store.objects.values()].map(String)).toEqual(['second', 'second'])
  expect((await docs().remove(['b/two.txt'])).data).toHaveLength(1)
  expect(await textAt('b/three.txt')).toBe('second')
  expect(store.objects.size).toBe(1)
})

test('signed URLs read from it and write to it', async () => {
  await docs().upload('c/signed.txt', TEXT)
  const { data: signed } = await docs().createSignedUrl('c/signed.txt', 60)
  expect(await (await fetch(signed?.signedUrl ?? '')).text()).toBe(TEXT)
  const { data: place } = await docs().createSignedUploadUrl('c/given.txt')
  const upload = await docs().uploadToSignedUrl('c/given.txt', place?.token ?? '', 'given')
  expect(upload.error).toBeNull()
  expect(await textAt('c/given.txt')).toBe('given')
})

test('while the store is unavailable, uploads, copies and reads fail and leave no row', async () => {
  await docs().upload('d/there.txt', TEXT)
  store.fail(1000)
  const refusal = { status: 503, message: 'The file store is out of reach. Try again later.' }
  expect((await docs().upload('d/new.txt', TEXT)).error).toMatchObject(refusal)
  expect((await docs().copy('d/there.txt', 'd/copy.txt')).error).toMatchObject(refusal)
  const read = await fetch(`${backend.url}/storage/v1/object/authenticated/docs/d/there.txt`, {
    headers: { apikey: backend.secretKey },
  })
  expect([read.status, await read.json()]).toMatchObject([503, { code: 'StoreUnavailable' }])
  expect([await rowsOf('d/new.txt'), await rowsOf('d/copy.txt')]).toEqual([0, 0])

  store.fail(0)
  expect(await textAt('d/there.txt')).toBe(TEXT)
  expect((await docs().upload('d/new.txt', TEXT)).error).toBeNull()
})

test('with a wrong secret nothing is stored, and the error reveals no details', async () => {
  const wrong = { ...store.settings, secretAccessKey: 'guessed' }
  const other = await startTestBackend({ settings: { s3: wrong } })
  const stranger = openClient(other.url, other.secretKey)
  await stranger.storage.createBucket('docs')
  const { error } = await stranger.storage.from('docs').upload('e.txt', TEXT)
  await other.close()
  expect(error).toMatchObject({ status: 503 })
  expect(error?.message).not.toContain('Signature')
  expect(new Set(store.refused.splice(0))).toEqual(new Set(['SignatureDoesNotMatch']))
})
