// A load balancer as simple as they come: it asks `/ready` and takes turns. It never sends a request twice, so that none that a
// server drops goes unnoticed.
import { Agent, createServer, request as send, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

const LOOK_EVERY_MS = 250

export type TestProxy = { url: string; close(): Promise<void> }

export async function aProxy(ports: number[]): Promise<TestProxy> {
  const agent = new Agent({ keepAlive: true })
  let ready: number[] = []
  let turn = 0
  const next = () => ready[turn++ % ready.length]

  async function look() {
    const states = await Promise.all(
      ports.map((port) =>
        fetch(`http://127.0.0.1:${port}/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    )
    ready = ports.filter((_port, index) => states[index])
  }

  const server = createServer((request, response) => {
    const port = next()
    if (!port) return response.writeHead(502).end('nobody is ready')
    const { method, url: path, headers } = request
    const forwarded = send({ host: '127.0.0.1', port, method, path, headers, agent })
    forwarded.on('response', (received) => {
      const { connection: _hop, ...rest } = received.headers
      response.writeHead(received.statusCode ?? 502, rest)
      received.pipe(response)
    })
    forwarded.on('error', (error) => {
      if (!response.headersSent) response.writeHead(502).end(`dropped: ${error.message}`)
      else response.destroy()
    })
    request.pipe(forwarded)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const port = next()
    if (!port) return socket.destroy()
    const target = connect(port, '127.0.0.1')
    const lines = [`${request.method} ${request.url} HTTP/1.1`]
    for (let n = 0; n < request.rawHeaders.length; n += 2)
      lines.push(`${request.rawHeaders[n]}: ${request.rawHeaders[n + 1]}`)
    target.write(`${lines.join('\r\n')}\r\n\r\n`)
    target.write(head)
    target.pipe(socket).pipe(target)
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
  })
  await look()
  const looking = setInterval(() => void look(), LOOK_EVERY_MS)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      clearInterval(looking)
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
