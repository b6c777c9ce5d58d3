import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveWebApp } from './web-app.ts'

let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-app-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<title>shell</title>')
  await writeFile(join(folder, 'assets/app-1a2b.js'), 'plain')
  await writeFile(join(folder, 'assets/app-1a2b.js.br'), 'brotli')
  await writeFile(join(folder, 'assets/app-1a2b.js.gz'), 'gzip')
  app = fastify()
  app.get('/api/*', (request) => request.url)
  await serveWebApp(app, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

test("every screen's address serves the shell, which is never cached", async () => {
  for (const url of ['/', '/home', '/chat/0b0e7b1e-52a5-4c1c-9a46-0d3f8e1c2a11?at=1']) {
    const { statusCode, body, headers } = await app.inject({ url })
    expect([statusCode, body, headers['cache-control']]).toEqual([
      200,
      '<title>shell</title>',
      'no-cache',
    ])
  }
})

test('an address with a slash too many leads to the screen on this site', async () => {
  for (const [url, screen] of [
    ['//chat', '/chat'],
    ['/chat//new?a=//b', '/chat/new?a=//b'],
    ['///evil.example/', '/evil.example/'],
    ['//%5Cevil.example', '/%5Cevil.example'],
  ]) {
    const { statusCode, headers } = await app.inject({ url: url ?? '' })
    expect([statusCode, headers.location]).toEqual([302, screen])
  }
})

test('a whole URL in the request line leads nowhere else', async () => {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const request = get({ host: '127.0.0.1', port, path: 'https://evil.example//chat' })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect([response.statusCode, response.headers.location]).toEqual([403, undefined])
  response.resume()
})

test('a request to the API keeps its slashes', async () => {
  const { statusCode, body } = await app.inject({ url: '/api//bucket//file' })
  expect([statusCode, body]).toEqual([200, '/api//bucket//file'])
})

test('a page talks to the address it was opened at and to no other', async () => {
  const { headers } = await app.inject({ url: '/home' })
  expect(headers['content-security-policy']).toContain("connect-src 'self';")
})

test.each([
  ['gzip, deflate, br', 'brotli', 'br'],
  ['gzip, deflate', 'gzip', 'gzip'],
  ['identity', 'plain', undefined],
])(
  'a hashed asset is kept for ever and sent as compressed as %s allows',
  async (accepted, body, encoding) => {
    const headers = { 'accept-encoding': accepted }
    const response = await app.inject({ url: '/assets/app-1a2b.js', headers })
    expect(response.body).toBe(body)
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  },
)

test('what a page loads carries no policy of its own, but is never taken for another type', async () => {
  const { headers } = await app.inject({ url: '/assets/app-1a2b.js' })
  expect(headers['x-content-type-options']).toBe('nosniff')
  for (const name of ['content-security-policy', 'referrer-policy', 'permissions-policy'])
    expect(headers[name], name).toBeUndefined()
})

test('a missing file is a 404, not the shell', async () => {
  expect((await app.inject({ url: '/assets/gone.js' })).statusCode).toBe(404)
  expect((await app.inject({ method: 'POST', url: '/home' })).statusCode).toBe(404)
})

test('the inline script that the page was built with is allowed by its hash, and no other', async () => {
  const page = await mkdtemp(join(tmpdir(), 'web-app-'))
  await writeFile(join(page, 'index.html'), '<script>start()</script><script src="/a.js"></script>')
  const own = fastify()
  await serveWebApp(own, page)
  const policy = (await own.inject({ url: '/home' })).headers['content-security-policy'] as string
  const hash = createHash('sha256').update('start()').digest('base64')
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
  await own.close()
  await rm(page, { recursive: true })
})

test('pages run only same-origin scripts and cannot be framed', async () => {
  for (const url of ['/', '/home']) {
    const policy = (await app.inject({ url })).headers['content-security-policy']
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
  }
})

test('an app that was not built is refused at start', async () => {
  await expect(serveWebApp(fastify(), join(folder, 'nowhere'))).rejects.toThrow('is not built')
})
