import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from '../testing/start-test-backend.ts'
import { openClient, type Client } from './storage-client.ts'

let backend: TestBackend
let service: Client
const gif = Buffer.from('GIF89a\u0001\u0000\u0001\u0000<script>alert(1)</script>', 'latin1')

beforeAll(async () => {
  backend = await startTestBackend()
  service = openClient(backend.url, backend.secretKey)
  await service.storage.createBucket('files', { public: true })
  await service.storage.createBucket('closed', { public: false })
})
afterAll(() => backend.close())

const files = () => service.storage.from('files')
async function put(name: string, body: string | Buffer, contentType?: string): Promise<string> {
  const { error } = await files().upload(name, body, {
    upsert: true,
    ...(contentType ? { contentType } : {}),
  })
  expect(error).toBeNull()
  return files().getPublicUrl(name).data.publicUrl
}

describe('caching', () => {
  test('a file is cached for an hour unless the upload says otherwise', async () => {
    expect((await fetch(await put('a.txt', 'a'))).headers.get('cache-control')).toBe(
      'public, max-age=3600',
    )
    await files().upload('b.txt', 'b', { cacheControl: '5' })
    const { publicUrl } = files().getPublicUrl('b.txt').data
    expect((await fetch(publicUrl)).headers.get('cache-control')).toBe('public, max-age=5')
  })

  test('a private file may only be stored in private caches', async () => {
    await service.storage.from('closed').upload('a.txt', 'a')
    const response = await fetch(`${backend.url}/storage/v1/object/closed/a.txt`, {
      headers: { apikey: backend.secretKey },
    })
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600')
  })

  test('an unchanged file is not sent again, but a changed one is', async () => {
    const address = await put('c.txt', 'one')
    const first = await fetch(address)
    const etag = first.headers.get('etag')!
    const modified = first.headers.get('last-modified')!
    const conditions: Record<string, string>[] = [
      { 'if-none-match': etag },
      { 'if-none-match': `"other", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': modified },
    ]
    for (const headers of conditions) {
      const response = await fetch(address, { headers })
      expect(response.status).toBe(304)
      expect(await response.text()).toBe('')
    }
    await put('c.txt', 'two')
    const changed = await fetch(address, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(await changed.text()).toBe('two')
  })
})

describe('ranges', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
  ])('%s', async (range, text, contentRange) => {
    const response = await fetch(await put('digits.txt', '0123456789'), { headers: { range } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(contentRange)
    expect(await response.text()).toBe(text)
  })

  test('a range past the end is not satisfiable', async () => {
    const response = await fetch(await put('digits.txt', '0123456789'), {
      headers: { range: 'bytes=10-' },
    })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe('bytes */10')
  })

  test('a range of a replaced version returns the whole new file', async () => {
    const address = await put('d.txt', '0123456789')
    const headers = { range: 'bytes=0-3', 'if-range': '"of-yesterday"' }
    const response = await fetch(address, { headers })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('0123456789')
  })

  test('a range from the middle of a large file is exact', async () => {
    const large = Buffer.alloc(2 * 1024 * 1024)
    for (let at = 0; at < large.length; at += 4) large.writeUInt32LE(at, at)
    const address = await put('large.bin', large, 'application/x-numbers')
    const response = await fetch(address, { headers: { range: 'bytes=100000-1900003' } })
    expect(
      Buffer.from(await response.arrayBuffer()).equals(large.subarray(100_000, 1_900_004)),
    ).toBe(true)
  })
})

describe('files with active content', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  test.each([
    ['an SVG with script', svg, 'image/svg+xml', 'image/svg+xml'],
    ['an SVG declared as a photo', svg, 'image/png', 'image/svg+xml'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'text/html', 'text/plain;charset=utf-8'],
    [
      'HTML declared as a photo',
      '<html><script>x</script>',
      'image/jpeg',
      'text/plain;charset=utf-8',
    ],
    ['an XSLT stylesheet', '<?xml version="1.0"?><x:stylesheet/>', 'text/xml', 'application/xml'],
    ['an archive', 'PK\u0003\u0004', 'application/zip', 'application/zip'],
    ['unknown bytes', '\u0001\u0002', 'text/html', 'application/octet-stream'],
  ])('%s is sent as an inert download', async (_what, body, declared, sentAs) => {
    const response = await fetch(await put('suspect', body, declared))
    expect(response.headers.get('content-type')).toBe(sentAs)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment;/)
    expectHarmless(response)
  })

  test('an image that is also a script is only served as an image', async () => {
    const response = await fetch(await put('poly.gif', gif, 'text/html'))
    expect(response.headers.get('content-type')).toBe('image/gif')
    expect(response.headers.get('content-disposition')).toBe('inline')
    expectHarmless(response)
  })

  test('a declared type cannot inject a header', async () => {
    const name = 'inject.txt'
    const response = await fetch(`${backend.url}/storage/v1/object/files/${name}`, {
      method: 'POST',
      headers: {
        apikey: backend.secretKey,
        'content-type': 'text/plain; x="a\tb"',
        'cache-control': 'max-age=1;set-cookie: a=b',
      },
      body: 'x',
    })
    expect(response.status).toBe(200)
    const served = await fetch(files().getPublicUrl(name).data.publicUrl)
    expect(served.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(served.headers.get('set-cookie')).toBeNull()
    expect(served.headers.get('content-type')).toBe('text/plain')
  })

  function expectHarmless(response: Response) {
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/)
  }
})
