import { connect } from 'node:net'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { openClient, type Client } from './storage-client.ts'

let backend: TestBackend
let service: Client
let dataDir: string
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storage-attacks-'))
  backend = await startTestBackend({ settings: { dataDir } })
  service = openClient(backend.url, backend.secretKey)
  const { storage } = service
  await storage.createBucket('small', { public: true, fileSizeLimit: 1000 })
  await storage.createBucket('any', { public: true })
  await storage.createBucket('pictures', {
    public: true,
    allowedMimeTypes: ['image/png', 'image/jpeg'],
  })
})
afterAll(async () => {
  await backend.close()
  await rm(dataDir, { recursive: true, force: true })
})

const uint16 = (...values: number[]) =>
  Buffer.from(values.flatMap((value) => [value >> 8, value & 255]))

function pngOf(width: number, height: number) {
  const sides = Buffer.alloc(8)
  sides.writeUInt32BE(width)
  sides.writeUInt32BE(height, 4)
  return Buffer.concat([png, sides, Buffer.from('0806000000', 'hex')])
}

/** A GIF up to its first frame, with a color table and perhaps comments. */
function gifOf(
  width: number,
  height: number,
  { frame, comments = 0 }: { frame?: [number, number]; comments?: number } = {},
) {
  const comment = Buffer.concat([Buffer.of(0x21, 0xfe, 255), Buffer.alloc(255, 'c'), Buffer.of(0)])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    uint16(width, height).swap16(),
    Buffer.of(0x80, 0, 0),
    Buffer.alloc(6),
    ...Array.from({ length: Math.ceil(comments / comment.length) }, () => comment),
    ...(frame ? [Buffer.of(0x2c), uint16(0, 0, ...frame).swap16(), Buffer.of(0)] : []),
  ])
}

function webpOf(width: number, height: number) {
  const chunk = Buffer.alloc(10)
  chunk.writeUIntLE(width - 1, 4, 3)
  chunk.writeUIntLE(height - 1, 7, 3)
  const size = Buffer.from([10, 0, 0, 0])
  return Buffer.concat([Buffer.from('RIFF\x16\0\0\0WEBPVP8X'), size, chunk])
}

/** With so many bytes of camera data before its size. */
function jpegOf(width: number, height: number, dataBytes = 0) {
  const most = 60_000
  const data = Array.from({ length: Math.ceil(dataBytes / most) }, () =>
    Buffer.concat([uint16(0xffe2, most + 2), Buffer.alloc(most)]),
  )
  const start = Buffer.concat([uint16(0xffd8, 0xffe0, 16), Buffer.from('JFIF\0'), Buffer.alloc(9)])
  const frame = Buffer.concat([uint16(0xffc0, 17), Buffer.from([8]), uint16(height, width)])
  return Buffer.concat([start, ...data, frame, Buffer.alloc(10)])
}

async function filesOnDisk(): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

describe('names', () => {
  test.each([
    '..%2f..%2fkeys.json',
    'a/..%2f..%2f..%2fetc/passwd',
    '%2e%2e/%2e%2e/secret',
    'a%00.txt',
    'a%0d%0ab',
    'a%5c..%5cb',
    '%2fetc%2fpasswd',
    'a//b',
    'emoji-%F0%9F%98%80',
    'broken-%ff',
    'x'.repeat(1025),
  ])('%s is rejected and leaves nothing behind', async (name) => {
    const before = await filesOnDisk()
    const response = await raw('POST', `/storage/v1/object/small/${name}`, 'x')
    // A URL parser normalizes some of them to another path, where nothing exists.
    expect([400, 404]).toContain(response)
    expect(await filesOnDisk()).toEqual(before)
  })

  test('a client’s file name is never used on disk', async () => {
    await service.storage.from('small').upload('etc/passwd', 'x')
    const found = await filesOnDisk()
    expect(found).not.toEqual([])
    for (const name of found) expect(name).toMatch(/^[0-9a-f-]{36}$/)
    await service.storage.emptyBucket('small')
  })

  test.each([
    ['POST', 'list/small', { prefix: '\0' }],
    ['POST', 'list/small', { search: '\ud800' }],
    ['POST', 'list-v2/small', { prefix: '\0' }],
    ['POST', 'sign/small', { paths: ['\0'], expiresIn: 60 }],
    ['DELETE', 'small', { prefixes: ['\0'] }],
  ])('%s %s with a text that Postgres cannot store is refused', async (method, path, body) => {
    const response = await fetch(`${backend.url}/storage/v1/object/${path}`, {
      method,
      headers: { apikey: backend.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'InvalidRequest' },
    ])
  })

  test.each(['../up', 'a/b', '', ' lead', '..'])('%j is not a bucket name', async (name) => {
    expect((await service.storage.createBucket(name)).error).toMatchObject({ status: 400 })
  })

  test('a forged row cannot reference a file outside the store', async () => {
    const owner = backend.database.asService('storage', 'arranging an attack')
    await owner.query({
      text: `insert into storage.objects (bucket_id, name, version, metadata) values
        ('small', 'forged', '../../keys.json', '{"size":10,"eTag":"x","mimetype":"text/plain","cacheControl":"","lastModified":"2026-01-01T00:00:00Z"}')`,
    })
    const { publicUrl } = service.storage.from('small').getPublicUrl('forged').data
    expect((await fetch(publicUrl)).status).toBe(500)
    await owner.query({ text: "update storage.objects set version = null where name = 'forged'" })
    await owner.query({ text: 'delete from storage.leftovers' })
    await service.storage.from('small').remove(['forged'])
  })
})

describe('size and type', () => {
  test.each([
    ['raw', () => Buffer.alloc(1001, 'x')],
    ['as a form', () => new Blob([Buffer.alloc(1001, 'x')])],
    ['as a stream of unknown length', () => new Blob([Buffer.alloc(300_000, 'x')]).stream()],
    ['far too large', () => Buffer.alloc(20_000_000, 'x')],
  ])('over the limit is rejected: %s', async (_how, body) => {
    const before = await filesOnDisk()
    const { error } = await service.storage.from('small').upload('large.txt', body())
    expect(error).toMatchObject({
      message: 'The object exceeded the maximum allowed size',
      statusCode: '413',
    })
    expect(await filesOnDisk()).toEqual(before)
    expect((await service.storage.from('small').exists('large.txt')).data).toBe(false)
  })

  test.each([
    ['a PNG', pngOf(16_000, 16_000)],
    ['a GIF', gifOf(10_000, 10_000)],
    ['a GIF whose first frame', gifOf(2, 2, { frame: [60_000, 60_000] })],
    [
      'a GIF of no size whose first frame, behind comments,',
      gifOf(0, 0, { frame: [60_000, 60_000], comments: 300_000 }),
    ],
    ['a WebP', webpOf(10_000, 10_000)],
    ['a JPEG', jpegOf(10_000, 10_000)],
    ['a JPEG behind camera data', jpegOf(10_000, 10_000, 100_000)],
  ])('%s that would fill a browser’s memory is rejected', async (_what, body) => {
    const before = await filesOnDisk()
    const { error } = await service.storage.from('any').upload('bomb', body)
    expect(error).toMatchObject({ statusCode: '400', message: 'The image has too many pixels' })
    expect(await filesOnDisk()).toEqual(before)
  })

  test('an image that hides its size is rejected; photos of a camera are not', async () => {
    const any = service.storage.from('any')
    for (const hidden of [
      jpegOf(100, 100, 600_000),
      gifOf(100, 100, { frame: [100, 100], comments: 600_000 }),
    ])
      expect((await any.upload('hidden', hidden)).error).toMatchObject({
        message: 'The size of the image cannot be read',
      })
    const photos = [
      pngOf(8_000, 6_000),
      webpOf(8_000, 6_000),
      jpegOf(8_000, 6_000, 100_000),
      gifOf(800, 600, { frame: [800, 600], comments: 300 }),
    ]
    for (const [at, photo] of photos.entries())
      expect((await any.upload(`photo-${at}`, photo)).error).toBeNull()
  })

  test('an image bucket checks the content, not the name', async () => {
    const pictures = service.storage.from('pictures')
    expect((await pictures.upload('a.txt', png, { contentType: 'image/png' })).error).toBeNull()
    expect(
      (await pictures.upload('b.png', new Blob([png], { type: 'image/jpeg' }))).error,
    ).toBeNull()
    expect((await pictures.info('b.png')).data?.contentType).toBe('image/png')
    for (const [body, contentType] of [
      ['<svg onload="x()">', 'image/png'],
      ['<script>x</script>', 'image/jpeg'],
      ['just words', 'image/png'],
      ['GIF89a', 'image/png'],
      ['', 'image/png'],
      [png, 'image/gif'],
    ] as const) {
      const { error } = await pictures.upload('c.png', Buffer.from(body), { contentType })
      expect(error).toMatchObject({ statusCode: '415', code: 'InvalidMimeType' })
    }
  })

  test('an object cannot be moved or copied into a bucket whose rules reject it', async () => {
    await service.storage.createBucket('anything')
    const anything = service.storage.from('anything')
    await anything.upload('page.html', '<html>')
    const options = { destinationBucket: 'pictures' }
    expect((await anything.move('page.html', 'x.png', options)).error).toMatchObject({
      statusCode: '415',
    })
    expect((await anything.copy('page.html', 'x.png', options)).error).toMatchObject({
      statusCode: '415',
    })
    const lie = { copyMetadata: false, metadata: { mimetype: 'image/png' }, ...options }
    expect((await anything.copy('page.html', 'x.png', lie)).error).toMatchObject({
      statusCode: '415',
    })
  })

  test('compressed uploads are rejected, because their content cannot be sniffed', async () => {
    const options = { contentEncoding: 'gzip' }
    const pictures = service.storage.from('pictures')
    expect((await pictures.upload('z.png', png, options)).error).toMatchObject({
      code: 'NotSupported',
    })
    expect((await pictures.upload('z.png', new Blob([png]), options)).error).toMatchObject({
      code: 'NotSupported',
    })
  })
})

describe('uploads that end early', () => {
  test.each([
    ['raw', 'content-type: text/plain\r\ncontent-length: 900', 'half'],
    [
      'a form',
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 900',
      '--b\r\ncontent-disposition: form-data; name=""; filename="x"\r\n\r\nhalf',
    ],
    ['chunked', 'content-type: text/plain\r\ntransfer-encoding: chunked', '4\r\nhalf\r\n'],
  ])('%s: nothing is stored', async (_how, headers, body) => {
    const before = await filesOnDisk()
    await sendAndLeave('/storage/v1/object/small/early.txt', headers, body)
    await expect.poll(filesOnDisk).toEqual(before)
    expect((await service.storage.from('small').exists('early.txt')).data).toBe(false)
  })

  test('a form without its final boundary is rejected', async () => {
    const body = '--b\r\ncontent-disposition: form-data; name=""; filename="x"\r\n\r\nhalf'
    const response = await fetch(`${backend.url}/storage/v1/object/small/early.txt`, {
      method: 'POST',
      headers: { apikey: backend.secretKey, 'content-type': 'multipart/form-data; boundary=b' },
      body,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: 'The upload ended early' })
  })

  test('the files of replaced and deleted objects are deleted', async () => {
    const small = service.storage.from('small')
    await small.upload('v.txt', 'one')
    const before = (await filesOnDisk()).length
    for (const text of ['two', 'three']) await small.update('v.txt', text)
    await Promise.all(
      ['4', '5', '6', '7'].map((text) => small.upload('v.txt', text, { upsert: true })),
    )
    expect(await filesOnDisk()).toHaveLength(before)
    await small.remove(['v.txt'])
    expect(await filesOnDisk()).toHaveLength(before - 1)
  })
})

test('of many concurrent uploads of one name, one succeeds', async () => {
  const small = service.storage.from('small')
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, index) => small.upload('race.txt', `by ${index}`)),
  )
  const winners = results.flatMap(({ error }, index) => (error ? [] : [index]))
  expect(winners).toHaveLength(1)
  expect(await (await small.download('race.txt')).data?.text()).toBe(`by ${winners[0]}`)
})

/** A request with an unnormalized path. @returns the status */
function raw(method: string, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(backend.url).port), '127.0.0.1')
    socket.on('error', reject)
    socket.once('data', (data) => {
      resolve(Number(data.toString().split(' ')[1]))
      socket.destroy()
    })
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: x\r\napikey: ${backend.secretKey}\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
  })
}

async function sendAndLeave(path: string, headers: string, body: string): Promise<void> {
  const socket = connect(Number(new URL(backend.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\napikey: ${backend.secretKey}\r\n${headers}\r\n\r\n${body}`,
  )
  // Long enough for the staged file to exist.
  await wait(150)
  socket.destroy()
}
