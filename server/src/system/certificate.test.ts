import { once } from 'node:events'
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net'
import { createServer } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { aCertificate } from '../../testing/a-certificate.ts'
import { checkCertificate } from './certificate.ts'

const DAY_MS = 86_400_000
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<string> {
  servers.push(server)
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

/** A site on this machine whose certificate is for `host`. */
async function aSite(host: string, validTo: Date) {
  const certificate = aCertificate(host, validTo)
  return { url: await listen(createServer(certificate)), ca: certificate.cert }
}

const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS)

test('a certificate that browsers trust is reported with its last day', async () => {
  const validTo = inDays(2)
  const { url, ca } = await aSite('localhost', validTo)
  expect(await checkCertificate(url, { ca })).toEqual({
    expires_at: validTo.toISOString(),
    problem: null,
  })
})

test('one that signs itself, is for another host or is too old is seen for what it is', async () => {
  const own = await aSite('localhost', inDays(2))
  expect((await checkCertificate(own.url)).problem).toBe('untrusted')
  const other = await aSite('rally.example', inDays(30))
  expect((await checkCertificate(other.url, { ca: other.ca })).problem).toBe('name')
  const validTo = inDays(-1)
  const old = await aSite('localhost', validTo)
  expect(await checkCertificate(old.url, { ca: old.ca })).toEqual({
    expires_at: validTo.toISOString(),
    problem: null,
  })
})

test('where nothing listens, or a server hangs up or says nothing, it cannot be reached', async () => {
  const unreachable = { expires_at: null, problem: 'unreachable' }
  const closed = createPlainServer()
  const url = await listen(closed)
  closed.close()
  await once(closed, 'close')
  expect(await checkCertificate(url)).toEqual(unreachable)
  const rude = await listen(createPlainServer((socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n')))
  expect(await checkCertificate(rude)).toEqual(unreachable)
  const silent = await listen(createPlainServer())
  expect(await checkCertificate(silent, { timeoutMs: 100 })).toEqual(unreachable)
})
