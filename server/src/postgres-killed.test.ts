import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anInstallation, type Installation } from '../testing/an-installation.ts'

let team: Installation
beforeAll(async () => {
  team = await anInstallation()
}, 90_000)
afterAll(() => team?.close())

test('when Postgres is killed, every request gets a 503 at worst, and all goes on by itself', async () => {
  const { access_token: token, user } = await team.signIn()
  const pidFile = await readFile(join(team.dataDir, 'postgres/postmaster.pid'), 'utf8')
  const statuses = new Set<number>()
  const look = async () => {
    const [ready, read] = await Promise.all([
      team.send('/ready'),
      team.send(`/rest/v1/users?id=eq.${user.id}`, { token }),
    ])
    statuses.add(ready.status).add(read.status)
    return [ready.status, read.status]
  }
  expect(await look()).toEqual([200, 200])
  process.kill(Number.parseInt(pidFile), 'SIGKILL')
  await expect.poll(() => statuses.has(503) || look(), { interval: 20 }).toBe(true)
  await expect.poll(look, { timeout: 60_000 }).toEqual([200, 200])
  expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([])
}, 90_000)
