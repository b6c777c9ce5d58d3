import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { openClient, type Client } from './storage-client.ts'

const someText: unknown = expect.any(String)
let backend: TestBackend
let service: Client
let bucket: string
let counter = 0
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  backend = await startTestBackend()
  service = openClient(backend.url, backend.secretKey)
})
afterAll(() => backend.close())
beforeEach(async () => {
  bucket = `things-${++counter}`
  const { error } = await service.storage.createBucket(bucket, { public: true })
  expect(error).toBeNull()
})

const things = () => service.storage.from(bucket)
async function textAt(name: string): Promise<string | undefined> {
  return (await things().download(name)).data?.text()
}

describe('uploading', () => {
  test('a buffer becomes an object that can be downloaded', async () => {
    const { data, error } = await things().upload('folder/hello.txt', Buffer.from('hello'))
    expect(error).toBeNull()
    expect(data).toEqual({
      path: 'folder/hello.txt',
      id: someText,
      fullPath: `${bucket}/folder/hello.txt`,
    })
    const file = await things().download('folder/hello.txt')
    expect(await file.data?.text()).toBe('hello')
    expect(file.data?.type).toBe('text/plain;charset=utf-8')
  })

  test('a blob is sent as a form and keeps its type', async () => {
    const { error } = await things().upload('dot.png', new Blob([png], { type: 'image/png' }))
    expect(error).toBeNull()
    const { data } = await things().download('dot.png')
    expect(data?.type).toBe('image/png')
    expect(Buffer.from(await data!.arrayBuffer())).toEqual(png)
  })

  test('a form built by the caller and a stream work as well', async () => {
    const form = new FormData()
    form.append('', new Blob(['by form']), 'file.txt')
    expect((await things().upload('form.txt', form)).error).toBeNull()
    const stream = new Blob(['by stream']).stream()
    expect((await things().upload('stream.txt', stream)).error).toBeNull()
    expect(await textAt('form.txt')).toBe('by form')
    expect(await textAt('stream.txt')).toBe('by stream')
  })

  test('a large file arrives byte for byte', async () => {
    const large = Buffer.alloc(9 * 1024 * 1024, 'abcdefghijk')
    large.set(png)
    expect((await things().upload('large', new Blob([large]))).error).toBeNull()
    const { data } = await things().download('large')
    expect(Buffer.from(await data!.arrayBuffer()).equals(large)).toBe(true)
  })

  test('an empty file can be stored', async () => {
    expect((await things().upload('.emptyFolderPlaceholder', new Blob([]))).error).toBeNull()
    expect((await things().download('.emptyFolderPlaceholder')).data?.size).toBe(0)
  })

  test('a taken name is rejected unless upsert is set', async () => {
    await things().upload('a.txt', 'first')
    const { error } = await things().upload('a.txt', 'second')
    expect(error).toMatchObject({
      message: 'The resource already exists',
      statusCode: '409',
      code: 'ResourceAlreadyExists',
    })
    expect(await textAt('a.txt')).toBe('first')
    const before = await things().info('a.txt')
    expect((await things().upload('a.txt', 'third', { upsert: true })).data?.id).toBe(
      before.data?.id,
    )
    expect(await textAt('a.txt')).toBe('third')
    expect((await things().update('a.txt', 'fourth')).error).toBeNull()
    expect(await textAt('a.txt')).toBe('fourth')
  })

  test('custom metadata and cache control are stored', async () => {
    const options = { metadata: { by: 'Maya' }, cacheControl: '60' }
    await things().upload('raw.txt', Buffer.from('x'), options)
    await things().upload('form.txt', new Blob(['x']), options)
    for (const name of ['raw.txt', 'form.txt']) {
      const { data } = await things().info(name)
      expect(data).toMatchObject({ metadata: { by: 'Maya' }, cacheControl: 'max-age=60', size: 1 })
    }
  })

  test('an upload to a missing bucket fails', async () => {
    const { error } = await service.storage.from('nowhere').upload('a.txt', 'x')
    expect(error).toMatchObject({ message: 'Bucket not found', statusCode: '404' })
  })
})

describe('looking', () => {
  test('info and exists report an object', async () => {
    await things().upload('here.txt', 'x')
    const { data } = await things().info('here.txt')
    expect(data).toMatchObject({
      id: someText,
      name: 'here.txt',
      bucketId: bucket,
      version: someText,
      size: 1,
      contentType: 'text/plain;charset=UTF-8',
      cacheControl: 'max-age=3600',
      etag: someText,
      lastModified: someText,
      createdAt: someText,
      metadata: {},
    })
    expect((await things().exists('here.txt')).data).toBe(true)
    expect((await things().exists('gone.txt')).data).toBe(false)
    await expect(things().throwOnError().exists('gone.txt')).rejects.toThrow()
    expect((await things().info('gone.txt')).error).toMatchObject({ code: 'NoSuchKey' })
  })

  test('HEAD returns only headers', async () => {
    await things().upload('head.txt', 'twelve bytes')
    const { publicUrl } = things().getPublicUrl('head.txt').data
    const response = await fetch(publicUrl, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('12')
    expect((await fetch(`${publicUrl}x`, { method: 'HEAD' })).status).toBe(404)
  })

  test('a folder is listed one level deep, a hundred at a time, by name', async () => {
    for (const name of ['b.txt', 'a.txt', 'deep/c.txt', 'deep/er/d.txt', 'deep/er/e.txt'])
      await things().upload(`in/${name}`, name)
    const { data } = await things().list('in')
    expect(data?.map(({ name, id }) => [name, id === null])).toEqual([
      ['a.txt', false],
      ['b.txt', false],
      ['deep', true],
    ])
    expect(data?.[0]?.metadata).toMatchObject({ size: 5, mimetype: 'text/plain;charset=UTF-8' })
    const names = async (...args: Parameters<ReturnType<typeof things>['list']>) =>
      (await things().list(...args)).data?.map(({ name }) => name)
    expect(await names('in/deep/')).toEqual(['c.txt', 'er'])
    expect(await names('in', { limit: 1, offset: 1 })).toEqual(['b.txt'])
    expect(await names('in', { sortBy: { column: 'name', order: 'desc' } })).toEqual([
      'deep',
      'b.txt',
      'a.txt',
    ])
    expect(await names('in', { sortBy: { column: 'created_at', order: 'asc' } })).toEqual([
      'deep',
      'b.txt',
      'a.txt',
    ])
    expect(await names('in', { search: 'A.' })).toEqual(['a.txt'])
    expect(await names('in_')).toEqual([])
    expect(await names()).toEqual(['in'])
  })

  test('list v2 is paginated in every sort order', async () => {
    const names = ['zz', 'bb', 'xx', 'ww', 'cc'].map((word) => `many/${word}`)
    for (const name of names) await things().upload(name, name)
    await things().upload('many/deep/one', 'x')
    const sorted = [...names].sort()
    for (const [sortBy, expected] of [
      [undefined, sorted],
      [{ column: 'name', order: 'desc' }, [...sorted].reverse()],
      [{ column: 'created_at', order: 'asc' }, names],
      [{ column: 'created_at', order: 'desc' }, [...names].reverse()],
    ] as const) {
      const objects: string[] = []
      const folders: string[] = []
      let cursor: string | undefined
      do {
        const { data, error } = await things().listV2({
          prefix: 'many/',
          with_delimiter: true,
          limit: 2,
          ...(cursor ? { cursor } : {}),
          ...(sortBy ? { sortBy } : {}),
        })
        expect(error).toBeNull()
        objects.push(...data!.objects.map(({ name }) => name))
        folders.push(...data!.folders.map(({ name }) => name))
        cursor = data?.hasNext ? data.nextCursor : undefined
      } while (cursor)
      expect(objects).toEqual(expected)
      expect(folders).toEqual(['many/deep/'])
    }
    expect((await things().listV2({ prefix: 'many' })).data?.objects).toHaveLength(6)
  })
})

describe('changing', () => {
  test('an object can be moved, including to another bucket', async () => {
    await things().upload('old.txt', 'same')
    const moved = await things().move('old.txt', 'new/place.txt')
    expect(moved.data).toMatchObject({ message: 'Successfully moved' })
    expect((await things().exists('old.txt')).data).toBe(false)
    await service.storage.createBucket(`${bucket}-b`, { public: false })
    const options = { destinationBucket: `${bucket}-b` }
    expect((await things().move('new/place.txt', 'there.txt', options)).error).toBeNull()
    const { data } = await service.storage.from(`${bucket}-b`).download('there.txt')
    expect(await data?.text()).toBe('same')
    expect((await things().move('gone.txt', 'x.txt')).error).toMatchObject({ code: 'NoSuchKey' })
  })

  test('an object cannot be moved or copied onto an existing one', async () => {
    await things().upload('one.txt', '1')
    await things().upload('two.txt', '2')
    for (const { error } of [
      await things().move('one.txt', 'two.txt'),
      await things().copy('one.txt', 'two.txt'),
    ])
      expect(error).toMatchObject({ code: 'ResourceAlreadyExists' })
    expect(await textAt('one.txt')).toBe('1')
    expect(await textAt('two.txt')).toBe('2')
  })

  test('a copy outlives the original', async () => {
    await things().upload('original.txt', 'words', { metadata: { by: 'Maya' } })
    const { data } = await things().copy('original.txt', 'copy.txt')
    expect(data?.path).toBe(`${bucket}/copy.txt`)
    const removed = await things().remove(['original.txt', 'never-there.txt'])
    expect(removed.data).toEqual([
      expect.objectContaining({ name: 'original.txt', bucket_id: bucket, id: someText }),
    ])
    expect(await textAt('copy.txt')).toBe('words')
    expect((await things().info('copy.txt')).data?.metadata).toEqual({ by: 'Maya' })
    expect((await things().download('original.txt')).error).toMatchObject({ status: 404 })
  })
})
