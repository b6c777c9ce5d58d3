// The proxies of `deploy/` in front of the app. A proxy that is not installed skips its tests.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { RATES } from 'backend/auth/limits.ts'
import {
  anInstallation,
  DEMO_PASSWORD,
  MAYA,
  type Installation,
} from '../testing/an-installation.ts'
import { aCaddy, anNginx, isInstalled, type RealProxy } from '../testing/real-proxies.ts'
import { processesOnOneDatabase } from '../testing/server-processes.ts'

// Some start processes, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000, expect: { poll: { timeout: 60_000 } } })

const hasNginx = isInstalled('nginx', '-v')
/** A Linux machine is every address of 127.0.0.0/8, so that clients can differ from the proxy. */
const hasAddresses = process.platform === 'linux'
/** The proxies sign their certificates themselves. */
const TRUSTING: RequestOptions = { host: 'localhost', family: 4, rejectUnauthorized: false }

describe.each([
  { name: 'nginx', start: anNginx, isHere: hasNginx },
  { name: 'Caddy', start: aCaddy, isHere: isInstalled('caddy', 'version') },
])('behind $name', ({ start, isHere }) => {
  let team: Installation
  let proxy: RealProxy
  beforeAll(async () => {
    if (!isHere || !hasAddresses) return
    team = await anInstallation({ environment: { TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '1' } })
    proxy = await start([team.settings.PORT])
  }, 90_000)
  afterAll(async () => {
    await proxy?.close()
    await team?.close()
  })

  /** From an address of this machine, and pretending to be from another one. */
  async function signIn(
    localAddress: string,
    forged: string,
    password = DEMO_PASSWORD,
  ): Promise<number> {
    const path = '/auth/v1/token?grant_type=password'
    const headers = {
      apikey: team.publishableKey,
      'content-type': 'application/json',
      'x-forwarded-for': forged,
    }
    const options = { ...TRUSTING, port: proxy.port, method: 'POST', path, headers, localAddress }
    const sent = request(options).end(JSON.stringify({ email: MAYA, password }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }

  const addresses = () =>
    team.sql(`select distinct ip_address from auth.audit_log_entries order by ip_address`)

  test.skipIf(!isHere || !hasAddresses)(
    'the log of sign-ins has the true address of a client that forges X-Forwarded-For',
    async () => {
      await team.sql('delete from auth.audit_log_entries')
      expect(await signIn('127.0.0.2', '203.0.113.7')).toBe(200)
      expect(await signIn('127.0.0.3', '203.0.113.8, 127.0.0.1')).toBe(200)
      expect(await addresses()).toEqual([{ ip_address: '127.0.0.2' }, { ip_address: '127.0.0.3' }])
    },
  )

  test.skipIf(!isHere || !hasAddresses)(
    'wrong passwords are counted by the true address, whatever X-Forwarded-For says',
    async () => {
      const statuses: number[] = []
      for (let n = 1; n <= RATES.wrongPasswordFromHere.count + 1; n++)
        statuses.push(await signIn('127.0.0.4', `203.0.113.${n}`, 'wrong'))
      expect(statuses.lastIndexOf(400)).toBe(RATES.wrongPasswordFromHere.count - 1)
      expect(statuses.at(-1)).toBe(429)
      expect(await signIn('127.0.0.4', '203.0.113.99')).toBe(429)
      expect(await signIn('127.0.0.5', '203.0.113.1')).toBe(200)
    },
  )
})

test.skipIf(!hasNginx)(
  'nginx passes a live socket on that a process refuses because it drains',
  async () => {
    const team = await processesOnOneDatabase()
    const servers = await Promise.all([team.start(), team.start()])
    const proxy = await anNginx(servers.map(({ port }) => port))
    const [draining] = servers
    const ready = () => fetch(`${draining.url}/ready`).then(({ status }) => status)
    const sockets: WebSocket[] = []
    try {
      // A process that was asked serves on for a while.
      expect([await ready(), await ready()]).toEqual([200, 200])
      const ended = draining.end('SIGTERM')
      await expect.poll(ready).toBe(503)
      // The second one cannot but be offered to the process with fewer sockets, which drains.
      for (let n = 0; n < 4; n++) {
        const address = `wss://localhost:${proxy.port}/realtime/v1/websocket?apikey=${team.publishableKey}&vsn=2.0.0`
        const socket = new WebSocket(address, TRUSTING)
        sockets.push(socket)
        await once(socket, 'open')
      }
      expect(await ended).toBe(0)
    } finally {
      for (const socket of sockets) socket.terminate()
      await proxy.close()
      await team.close()
    }
  },
)
