// WORKERS=n, as an operator starts it: real processes behind one port.
import { execFileSync } from 'node:child_process'
import { Agent, get, type RequestOptions } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startChatLoad, type ChatLoad } from '../../testing/chat-load.ts'
import {
  processesOnOneDatabase,
  spawnServer,
  type Processes,
  type ServerProcess,
} from '../../testing/server-processes.ts'
import { mergeMetrics } from './gather-metrics.ts'

// Each starts processes, which takes a loaded machine seconds.
vi.setConfig({ testTimeout: 120_000, expect: { poll: { timeout: 60_000 } } })

const METRICS_TOKEN = 'a token of a monitor, long enough'
const METRICS_HEADERS = { authorization: `Bearer ${METRICS_TOKEN}` }

let team: Processes
let server: ServerProcess
let load: ChatLoad
beforeAll(async () => {
  // Nothing listens there; no mail is sent here.
  team = await processesOnOneDatabase({ SMTP_URL: 'smtp://127.0.0.1:1', METRICS_TOKEN })
  server = await team.start({ WORKERS: '2' })
  load = await startChatLoad(team, server.url)
}, 120_000)
afterAll(async () => {
  await load?.close()
  await team?.close()
})

/** The workers. */
const workersOf = ({ child }: ServerProcess): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(child.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('main.js'))
    .map((line) => Number.parseInt(line))

async function figures(): Promise<Map<string, number>> {
  const text = await (await fetch(`${server.url}/_metrics`, { headers: METRICS_HEADERS })).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

const ask = (url: string, options: RequestOptions) =>
  new Promise<void>((resolve, reject) =>
    get(url, options, (response) => response.on('end', resolve).resume()).on('error', reject),
  )

async function untilMore(messages = 50) {
  const before = load.stored.length
  await expect.poll(() => load.stored.length).toBeGreaterThan(before + messages)
}

/** Until each has responded to a request on a connection of its own; returns the figures of all. */
async function untilAllServe(): Promise<Map<string, number>> {
  const responsesOf = (worker: number) =>
    `rally_requests_total{service="auth",status="2xx",worker="${worker}"}`
  let values = new Map<string, number>()
  await expect
    .poll(async () => {
      // An open connection stays with its worker; a new one goes to one that is free.
      await ask(`${server.url}/auth/v1/settings`, {
        agent: false,
        headers: { apikey: team.publishableKey },
      })
      values = await figures()
      return Math.min(values.get(responsesOf(1)) ?? 0, values.get(responsesOf(2)) ?? 0)
    })
    .toBeGreaterThan(0)
  return values
}

test('the workers share one port, and figures are of all of them', async () => {
  const values = await untilAllServe()
  expect(values.get('rally_database_up')).toBe(1)
  expect(values.has('process_uptime_seconds{worker="1"}')).toBe(true)
})

test('SIGHUP replaces all, one after the other: no request fails, no message is lost or comes twice', async () => {
  const before = workersOf(server)
  server.child.kill('SIGHUP')
  await expect.poll(() => workersOf(server).filter((pid) => before.includes(pid))).toEqual([])
  await untilMore()
  await expect.poll(() => load.connections()).toBeGreaterThan(1)
  expect(load.failures).toEqual([])
  await expect.poll(() => load.missing()).toEqual([])
  expect(load.live.length).toBe(new Set(load.live).size)
})

test('one that is killed is replaced at once, and nothing that was acknowledged is lost', async () => {
  const [killed = 0] = workersOf(server)
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => workersOf(server).filter((pid) => pid !== killed)).toHaveLength(2)
  await untilMore()
  await load.stop()
  await expect.poll(() => load.missing()).toEqual([])
  const rows = await team.sql<{ id: string }>('select id from public.chat_messages')
  const stored = new Set(rows.map(({ id }) => id))
  expect(load.stored.filter((id) => !stored.has(id))).toEqual([])
})

test('a connection that a worker dies with before taking it is closed, not left without a response', async () => {
  // The one that replaced the killed one may still be starting: stopped, it would be handed no connection.
  await untilAllServe()
  const [stopped = 0] = workersOf(server)
  process.kill(stopped, 'SIGSTOP')
  let ended = 0
  const asked = Array.from(
    { length: 10 },
    () =>
      new Promise<void>((resolve) =>
        get(`${server.url}/health`, { agent: false }, (response) => response.resume())
          .on('error', () => undefined)
          .on('close', () => {
            ended++
            resolve()
          }),
      ),
  )
  await expect.poll(() => ended).toBe(9)
  process.kill(stopped, 'SIGKILL')
  await Promise.all(asked)
  await expect.poll(() => workersOf(server).filter((pid) => pid !== stopped)).toHaveLength(2)
})

test('one that dies while the primary has something to say to it takes nobody with it', async () => {
  const agent = new Agent({ keepAlive: true })
  await ask(`${server.url}/health`, { agent })
  server.child.kill('SIGSTOP')
  // Handled without the figures of the others, whom the primary asks as soon as it goes on.
  await ask(`${server.url}/_metrics`, { agent, headers: METRICS_HEADERS })
  const [killed = 0] = workersOf(server)
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => workersOf(server)).not.toContain(killed)
  server.child.kill('SIGCONT')
  await expect.poll(() => workersOf(server).filter((pid) => pid !== killed)).toHaveLength(2)
  agent.destroy()
})

test('one that dies is shown to admins as that, and the one in its place as the only one there', async () => {
  const [killed = 0, other = 0] = workersOf(server)
  const shown = async () =>
    (
      await team.sql<{ pid: string }>(
        "select detail ->> 'pid' as pid from private.process_findings() where part = 'process'",
      )
    ).map(({ pid }) => Number(pid))
  await expect.poll(shown).toContain(killed)
  process.kill(killed, 'SIGKILL')
  await expect.poll(shown).not.toContain(killed)
  await expect.poll(shown).toHaveLength(2)
  expect(await shown()).toContain(other)
  await team.sql(
    `update private.server_processes set reported_at = reported_at - interval '2 minutes' where facts ->> 'pid' = $1`,
    [String(killed)],
  )
  const [found] = await team.sql('select state, code, detail from private.restarts_finding()')
  expect(found).toMatchObject({ code: 'crashed', detail: { count: expect.any(Number) as number } })
})

test('SIGTERM drains all of them, also one that is just starting, and ends with 0 within seconds', async () => {
  process.kill(workersOf(server)[0] ?? 0, 'SIGKILL')
  const workers = workersOf(server)
  const began = performance.now()
  expect(await server.end('SIGTERM'), server.said()).toBe(0)
  expect(performance.now() - began).toBeLessThan(20_000)
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('without a mail server it is one clear sentence and exit 1', async () => {
  const refused = spawnServer({ PORT: '0', WORKERS: '2', SMTP_URL: '' })
  await expect.poll(() => refused.child.exitCode).toBe(1)
  expect(refused.said().trim()).toBe(
    'WORKERS needs SMTP_URL: the built-in mailbox is in the memory of one process.',
  )
})

test('figures of the same name become one metric with a sample of each worker', () => {
  const of = (worker: string, value: number) => ({
    worker,
    metrics: [{ name: 'x', help: 'X.', type: 'gauge' as const, samples: [{ value }] }],
  })
  expect(mergeMetrics([of('1', 3), of('2', 4)])).toEqual([
    {
      ...{ name: 'x', help: 'X.', type: 'gauge' },
      samples: [
        { value: 3, labels: { worker: '1' } },
        { value: 4, labels: { worker: '2' } },
      ],
    },
  ])
})
