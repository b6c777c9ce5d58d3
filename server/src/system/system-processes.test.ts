// The System page when several processes of the server share one database: real processes, which report by themselves.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  processesOnOneDatabase,
  type Processes,
  type ServerProcess,
} from '../../testing/server-processes.ts'

// Each process takes a loaded machine seconds to start.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } })

type Finding = {
  part: string
  scope: string | null
  state: string
  code: string
  detail: Record<string, unknown>
}

let team: Processes
let one: ServerProcess
let two: ServerProcess
let token: string
beforeAll(async () => {
  team = await processesOnOneDatabase()
  ;[one, two] = await Promise.all([team.start(), team.start()])
  const admin = await team.aMember()
  await team.sql("update private.members set role = 'admin' where id = $1", [admin.id])
  token = admin.token
})
afterAll(() => team?.close())

/** What the page shows, asked at the process that is never ended. */
async function findings(part: string): Promise<Finding[]> {
  const response = await fetch(`${one.url}/rest/v1/rpc/system_status`, {
    method: 'POST',
    headers: {
      ...{ apikey: team.publishableKey, authorization: `Bearer ${token}` },
      'content-type': 'application/json',
    },
    body: '{}',
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as Finding[]).filter((each) => each.part === part)
}

const pidsShown = async () =>
  (await findings('process')).map(({ detail }) => Number(detail.pid)).toSorted()
const pidsOf = (...processes: ServerProcess[]) =>
  processes.map(({ child }) => child.pid ?? 0).toSorted()

/** Its last words, as if they had been said that long ago. */
const saidLongAgo = ({ child }: ServerProcess, ago: string) =>
  team.sql(
    `update private.server_processes set reported_at = reported_at - $2::interval where facts ->> 'pid' = $1`,
    [String(child.pid), ago],
  )

test('two processes are two', async () => {
  await expect.poll(pidsShown).toEqual(pidsOf(one, two))
  expect(await findings('versions')).toEqual([])
})

test('one of another version beside them needs attention, and both versions are named', async () => {
  await team.sql(
    `update private.server_processes set facts = facts || '{"version": "0.0.9"}' where facts ->> 'pid' = $1`,
    [String(two.child.pid)],
  )
  const [running] = await team.sql<{ version: string }>(
    `select facts ->> 'version' as version from private.server_processes where facts ->> 'pid' = $1`,
    [String(one.child.pid)],
  )
  expect(await findings('versions')).toMatchObject([
    { state: 'attention', code: 'mixed', detail: { versions: ['0.0.9', running?.version] } },
  ])
})

test('one that was killed is gone after three minutes of silence, one that was told to end at once', async () => {
  await two.end('SIGKILL')
  await saidLongAgo(two, '2 minutes')
  expect(await pidsShown()).toEqual(pidsOf(one, two))
  await saidLongAgo(two, '70 seconds')
  expect(await pidsShown()).toEqual(pidsOf(one))
  expect(await findings('versions')).toEqual([])

  const third = await team.start()
  await expect.poll(pidsShown).toEqual(pidsOf(one, third))
  await third.end('SIGTERM')
  expect(await pidsShown()).toEqual(pidsOf(one))
})
