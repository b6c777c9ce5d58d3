// Several processes on one Postgres behind a load balancer are restarted one after the other, and nobody notices.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startChatLoad } from '../testing/chat-load.ts'
import { processesOnOneDatabase, type Processes } from '../testing/server-processes.ts'
import { aProxy } from '../testing/test-proxy.ts'

// Each starts processes, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000, expect: { poll: { timeout: 60_000 } } })

let team: Processes
beforeAll(async () => {
  team = await processesOnOneDatabase()
}, 90_000)
afterAll(() => team?.close())

test('a rolling restart under load fails no request and loses and doubles no message', async () => {
  const servers = await Promise.all([team.start(), team.start()])
  const proxy = await aProxy(servers.map(({ port }) => port))
  const load = await startChatLoad(team, proxy.url)
  try {
    for (const server of servers) {
      const before = load.stored.length
      await expect.poll(() => load.stored.length).toBeGreaterThan(before + 50)
      expect(await server.end('SIGTERM')).toBe(0)
      await team.start({}, server.port)
    }
    await expect.poll(() => load.connections()).toBeGreaterThan(1)
    await load.stop()
    await expect.poll(() => load.missing()).toEqual([])
    expect(load.failures).toEqual([])
    expect(load.live.length).toBe(new Set(load.live).size)
  } finally {
    await load.close()
    await proxy.close()
  }
  const [rows] = await team.sql<{ count: string }>('select count(*) from public.chat_messages')
  expect(Number(rows?.count)).toBe(load.stored.length)
})

const state = async (url: string) => {
  const response = await fetch(`${url}/ready`)
  return [response.status, ((await response.json()) as { status: string }).status]
}

test('a process that drains says so, refuses new sockets, and asks open ones to connect again', async () => {
  const server = await team.start()
  const { token } = await team.aMember()
  const address = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${team.publishableKey}&vsn=2.0.0`
  const socket = new WebSocket(address)
  await once(socket, 'open')
  expect(await state(server.url)).toEqual([200, 'ready'])
  const closed = once(socket, 'close')
  const ended = server.end('SIGTERM')
  await expect.poll(() => state(server.url)).toEqual([503, 'draining'])
  expect((await closed)[0]).toBe(1012)
  const late = new WebSocket(address)
  const [, refusal] = (await once(late, 'unexpected-response')) as [unknown, { statusCode: number }]
  expect(refusal.statusCode).toBe(503)
  const headers = { apikey: team.publishableKey, authorization: `Bearer ${token}` }
  const response = await fetch(`${server.url}/rest/v1/users?limit=1`, { headers })
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
  expect(await ended).toBe(0)
})

test('a request that runs is finished, for as long as DRAIN_SECONDS allows', async () => {
  await team.sql(`create function public.slowly(seconds float8) returns text language sql
    as $$ select pg_sleep(seconds)::text || 'done' $$; notify pgrst, 'reload schema'`)
  const [patient, impatient] = await Promise.all([team.start(), team.start({ DRAIN_SECONDS: '1' })])
  const { token } = await team.aMember()
  const headers = { apikey: team.publishableKey, authorization: `Bearer ${token}` }
  const ask = ({ url }: { url: string }) =>
    fetch(`${url}/rest/v1/rpc/slowly?seconds=4`, { headers }).then(
      ({ status }) => status,
      () => 'cut off',
    )
  const asked = [ask(patient), ask(impatient)]
  await expect.poll(sleeping).toBe(2)
  const codes = [patient.end('SIGTERM'), impatient.end('SIGTERM')]
  expect(await Promise.all(asked)).toEqual([200, 'cut off'])
  expect(await Promise.all(codes)).toEqual([0, 0])
})

const SLEEPING = `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
const sleeping = async () => (await team.sql(SLEEPING)).length

test('a second signal does not wait for requests', async () => {
  // The statement of a request that was cut off goes on for a moment, and is not this one.
  await expect.poll(sleeping).toBe(0)
  const server = await team.start({ DRAIN_SECONDS: '300' })
  // The second look: now it counts as watched by a load balancer, and keeps its port open while it drains.
  expect(await state(server.url)).toEqual([200, 'ready'])
  const { token } = await team.aMember()
  const headers = { apikey: team.publishableKey, authorization: `Bearer ${token}` }
  const asked = fetch(`${server.url}/rest/v1/rpc/slowly?seconds=60`, { headers }).catch(() => null)
  await expect.poll(sleeping).toBe(1)
  const ended = server.end('SIGTERM')
  await expect.poll(() => state(server.url)).toEqual([503, 'draining'])
  // Ctrl-C may arrive twice, so the second one counts after a second.
  const again = setInterval(() => server.child.kill('SIGTERM'), 500)
  expect(await ended).toBe(0)
  clearInterval(again)
  expect(await asked).toBe(null)
})
