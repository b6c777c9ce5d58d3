import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TEST_PASSWORD } from 'backend/testing/passwords.ts'
import { startApns, startFcm, type Apns, type Fcm } from 'supabase-project/tests/push-providers.ts'
import { pushScene, type PushScene } from 'supabase-project/tests/push-scene.ts'
import { aTeam, type Person, type Team } from 'supabase-project/tests/team.ts'

let team: Team
let push: PushScene
let maya: Person
let theo: Person
let chat: string
let fcm: Fcm
let apns: Apns

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  ;[fcm, apns] = await Promise.all([startFcm(), startApns()])
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
})
afterAll(async () => {
  await Promise.all([fcm.close(), apns.close()])
  await team.close()
})
beforeEach(async () => {
  await push.clear()
  theo = await team.aMember({ firstName: 'Theo', rallyEnabled: false })
  chat = await push.aChat([maya, theo])
  fcm.received.length = 0
  fcm.responses.length = 0
  fcm.onRequest = null
})

const states = async () => (await push.fates()).map(({ state }) => state)

// Each starts processes, which takes a loaded machine seconds.
describe('workers', { timeout: 60_000 }, () => {
  const children: ChildProcess[] = []
  async function startProcess(): Promise<ChildProcess> {
    const given = {
      databaseUrl: team.backend.superuserUrl,
      password: TEST_PASSWORD,
      push: { PUSH_FCM_SERVICE_ACCOUNT: fcm.serviceAccount },
      fcmAddress: fcm.address,
      apnsAddress: apns.address,
    }
    const file = fileURLToPath(new URL('../testing/run-push-worker.ts', import.meta.url))
    const child = fork(file, [JSON.stringify(given)], { execArgv: ['--import', 'tsx'] })
    children.push(child)
    await once(child, 'message')
    return child
  }
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })

  test('killed in the middle of a batch: every notification arrives once or is reported', async () => {
    for (let index = 0; index < 10; index++) await push.aDevice(theo)
    const crowd = await Promise.all(
      Array.from({ length: 5 }, () => team.aMember({ rallyEnabled: false })),
    )
    for (const person of crowd) for (let index = 0; index < 6; index++) await push.aDevice(person)
    const full = await push.aChat([maya, theo, ...crowd])
    await push.say(full, maya, 'hello')
    await team.sql('select private.spread_push_outbox()')

    let requests = 0
    const first = await startProcess()
    const killed = once(first, 'exit')
    fcm.responses.push(...Array.from({ length: 40 }, () => ({ status: 200, delayMs: 60 })))
    fcm.onRequest = () => {
      if (++requests === 15) first.kill('SIGKILL')
    }
    await team.sql("update private.push_deliveries set due_at = now() where state = 'waiting'")
    await killed
    await wait(200)
    fcm.responses.length = 0
    fcm.onRequest = null
    expect(await states()).toContain('sending')

    // Once the dead worker's lease expires, another one takes over.
    await team.sql(
      "update private.push_deliveries set claimed_until = now() where state = 'sending'",
    )
    await startProcess()
    await expect
      .poll(
        async () => (await states()).filter((state) => ['waiting', 'sending'].includes(state)),
        { timeout: 15_000 },
      )
      .toEqual([])

    const arrived = fcm.received.map(({ to }) => to)
    expect(new Set(arrived).size).toBe(arrived.length)
    const fates = await states()
    const sent = fates.filter((state) => state === 'sent').length
    const uncertain = fates.filter((state) => state === 'uncertain').length
    expect(sent + uncertain).toBe(40)
    expect(uncertain).toBeGreaterThan(0)
    // Nothing is lost silently: what did not arrive is recorded as uncertain.
    expect(arrived.length).toBeGreaterThanOrEqual(sent)
    expect(40 - arrived.length).toBeLessThanOrEqual(uncertain)
  })

  test('several at once share the work', async () => {
    for (let index = 0; index < 10; index++) await push.aDevice(theo)
    await Promise.all([startProcess(), startProcess()])
    await push.say(chat, maya, 'hello')
    await team.sql(
      "select private.spread_push_outbox(); update private.push_deliveries set due_at = now() where state = 'waiting'",
    )
    await expect.poll(states).toEqual(Array.from({ length: 10 }, () => 'sent'))
    const arrived = fcm.received.map(({ to }) => to)
    expect(arrived).toHaveLength(10)
    expect(new Set(arrived).size).toBe(10)
  })
})
