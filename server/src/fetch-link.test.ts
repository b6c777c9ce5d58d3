// Against real servers on this machine, which the public network of production refuses.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createRawServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { fetchLink, publicNetwork, type Network } from './fetch-link.ts'

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

/** Every name leads to this machine, except those of `inner`, which lead to its network. */
function aNetwork(more: Partial<Network> = {}): Network {
  return {
    resolve: (host) =>
      Promise.resolve([
        { address: host === 'inner.example' ? '10.0.0.1' : '127.0.0.1', family: 4 },
      ]),
    isAllowed: (address) => address === '127.0.0.1',
    timeoutMs: 2000,
    userAgent: 'Test link check',
    ...more,
  }
}

/** The address of a site that responds like this, and the requests it got. */
async function aSite(respond: RequestListener) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    respond(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://site.example:${port}/`, port, requests }
}

const respondWith = (status: number, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => response.writeHead(status, headers).end()
}

test('a site that responds works, after one request for the head', async () => {
  const { url, requests } = await aSite(respondWith(200))
  expect(await fetchLink(url, aNetwork())).toEqual({ url, outcome: 'works' })
  expect(requests).toEqual(['HEAD /'])
})

test.each([
  [404, { outcome: 'gone', problem: '404' }],
  [410, { outcome: 'gone', problem: '410' }],
  [503, { outcome: 'failed', problem: '503' }],
  [401, { outcome: 'works' }],
  [403, { outcome: 'works' }],
  [429, { outcome: 'works' }],
])('a site that responds with %i is asked for the page too', async (status, result) => {
  const { url, requests } = await aSite(respondWith(status))
  expect(await fetchLink(url, aNetwork())).toEqual({ url, ...result })
  expect(requests).toEqual(['HEAD /', 'GET /'])
})

test('a site without HEAD works', async () => {
  const { url } = await aSite((request, response) =>
    request.method === 'HEAD' ? request.socket.destroy() : response.end('here'),
  )
  expect(await fetchLink(url, aNetwork())).toEqual({ url, outcome: 'works' })
})

test('a redirect is followed, five times at most', async () => {
  const { url, requests } = await aSite((request, response) => {
    const step = Number(request.url?.slice(1))
    if (step >= 3 && step < 100) response.end()
    else response.writeHead(302, { location: `/${step + 1}` }).end()
  })
  expect(await fetchLink(`${url}0`, aNetwork())).toMatchObject({ outcome: 'works' })
  expect(requests).toHaveLength(4)
  expect(await fetchLink(`${url}100`, aNetwork())).toMatchObject({
    outcome: 'failed',
    problem: 'redirects',
  })
})

test('neither a private address nor a redirect to one is asked', async () => {
  const hidden = await aSite(respondWith(200))
  const inner = `http://inner.example:${hidden.port}/`
  expect(await fetchLink(inner, aNetwork())).toEqual({ url: inner, outcome: 'skipped' })
  const { url } = await aSite(respondWith(302, { location: inner }))
  expect(await fetchLink(url, aNetwork())).toEqual({ url, outcome: 'skipped' })
  expect(hidden.requests).toEqual([])
})

test('a name of which one address is private is not asked', async () => {
  const { url, requests } = await aSite(respondWith(200))
  const resolve = () =>
    Promise.resolve([
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ])
  expect(await fetchLink(url, aNetwork({ resolve }))).toMatchObject({ outcome: 'skipped' })
  expect(requests).toEqual([])
})

test('the connection goes to the address that was checked, not to what a second lookup finds', async () => {
  const { url } = await aSite(respondWith(200))
  const resolve = vi
    .fn<Network['resolve']>()
    .mockResolvedValueOnce([{ address: '127.0.0.1', family: 4 }])
    .mockResolvedValue([{ address: '10.0.0.1', family: 4 }])
  expect(await fetchLink(url, aNetwork({ resolve }))).toMatchObject({ outcome: 'works' })
  expect(resolve).toHaveBeenCalledTimes(1)
})

test.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://localhost/',
  'http://169.254.169.254/latest/meta-data/',
  'https://1.1.1.1:5432/',
  'https://user:secret@1.1.1.1/',
])('in production %s is skipped without a connection', async (url) => {
  expect(await fetchLink(url, publicNetwork('Test'))).toEqual({ url, outcome: 'skipped' })
})

test('a site that never responds fails in time, and the one before the server stops is let go', async () => {
  const silent = createRawServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  closers.push(() => silent.close())
  const url = `http://site.example:${(silent.address() as AddressInfo).port}/`
  const { problem } = await fetchLink(url, aNetwork({ timeoutMs: 100 }))
  expect(problem).toBe('time')
  const stopping = new AbortController()
  const fetching = fetchLink(url, aNetwork({ timeoutMs: 60_000, signal: stopping.signal }))
  stopping.abort()
  expect(await fetching).toMatchObject({ outcome: 'failed' })
})

test('after the server began to stop, no name is looked up any more', async () => {
  const resolve = vi.fn<Network['resolve']>().mockRejectedValue(new Error('no network'))
  const network = aNetwork({ resolve, signal: AbortSignal.abort() })
  expect(await fetchLink('https://site.example/', network)).toMatchObject({ outcome: 'failed' })
  expect(resolve).not.toHaveBeenCalled()
})

test('a name that nobody has, a closed port and a page without end', async () => {
  const notFound = Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
  const resolve = () => Promise.reject(notFound)
  const url = 'https://nobody.example/'
  expect(await fetchLink(url, aNetwork({ resolve }))).toEqual({
    url,
    outcome: 'failed',
    problem: 'host',
  })
  const { port } = await aSite(respondWith(200))
  closers.splice(0).forEach((close) => close())
  const closed = `http://site.example:${port}/`
  expect(await fetchLink(closed, aNetwork())).toMatchObject({ problem: 'connection' })
  const endless = await aSite((request, response) => {
    if (request.method === 'HEAD') response.writeHead(405).end()
    else response.write('x'.repeat(100_000))
  })
  expect(await fetchLink(endless.url, aNetwork())).toMatchObject({ outcome: 'works' })
})
