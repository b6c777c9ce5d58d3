import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createProxyCheck, type TrustedProxies } from '#http/client-address.ts'
import { limitConnections } from './limit-connections.ts'

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

async function serverFor(trusted: TrustedProxies, limit: number) {
  const server = createServer((_request, response) => response.end())
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  limitConnections(server, createProxyCheck(trusted), limit)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => void server.close())
  const { port } = server.address() as AddressInfo

  /** Opens a connection; false when the server closes it. */
  async function open(headers = '') {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    closers.push(() => socket.destroy())
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
    return { isOpen, socket }
  }
  return open
}

test('one address has a limited number of connections, and room again when one closes', async () => {
  const open = await serverFor(0, 2)
  const first = await open()
  expect([first.isOpen, (await open()).isOpen, (await open()).isOpen]).toEqual([true, true, false])
  first.socket.destroy()
  await expect.poll(async () => (await open()).isOpen).toBe(true)
})

test.each([1, ['loopback']])('a trusted proxy has no limit (%j)', async (trusted) => {
  const open = await serverFor(trusted, 1)
  for (let each = 0; each < 3; each++) expect((await open()).isOpen).toBe(true)
})

test('web sockets are left to the limits of Realtime', async () => {
  const open = await serverFor(0, 1)
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  for (let each = 0; each < 3; each++) expect((await open(upgrade)).isOpen).toBe(true)
})
