import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pushScene, type PushScene } from './push-scene.ts'
import { aTeam, type Person, type Team } from './team.ts'

let team: Team
let push: PushScene
let maya: Person
let theo: Person
let dana: Person
let chat: string

beforeAll(async () => {
  team = await aTeam()
  push = pushScene(team)
  maya = await team.aMember({ firstName: 'Maya', lastName: 'Ortiz' })
  theo = await team.aMember({ firstName: 'Theo', lastName: 'Brandt' })
  dana = await team.aMember({ firstName: 'Dana', lastName: 'Reyes', isAdmin: true })
})
afterAll(() => team.close())
beforeEach(async () => {
  await push.clear()
  await team.sql('delete from public.notification_settings')
  chat = await push.aChat([maya, theo, dana])
})

describe('outcomes', () => {
  beforeEach(async () => {
    await push.aDevice(theo)
    await push.say(chat, maya, 'hello')
  })

  test('a claimed delivery is not claimed again', async () => {
    expect(await push.claim()).toHaveLength(1)
    expect(await push.claim()).toEqual([])
  })

  test('of two concurrent workers, each delivery goes to one', async () => {
    for (let index = 0; index < 20; index++) await push.aDevice(theo)
    await push.say(chat, maya, 'again')
    await team.sql('select private.spread_push_outbox()')
    await team.sql("update private.push_deliveries set due_at = now() where state = 'waiting'")
    const worker = () => team.service().client.rpc('claim_push_deliveries', { channels: ['fcm'] })
    const results = await Promise.all([worker(), worker(), worker()])
    const ids = results.flatMap(({ data }) => (data as { id: number }[]).map(({ id }) => id))
    expect(ids).toHaveLength(21)
    expect(new Set(ids).size).toBe(21)
  })

  test('a worker that dies while sending is reported, not repeated', async () => {
    await push.claim()
    await team.sql("update private.push_deliveries set claimed_until = now() - interval '1 second'")
    expect(await push.claim()).toEqual([])
    expect(await push.fates()).toEqual([
      { state: 'uncertain', reason: 'the worker stopped while sending' },
    ])
  })

  test('its late report is ignored', async () => {
    const [delivery] = await push.claim()
    await team.sql("update private.push_deliveries set claimed_until = now() - interval '1 second'")
    await push.claim()
    await push.settle({ id: delivery!.id, attempt: 1, outcome: 'retry' })
    expect(await push.fates()).toMatchObject([{ state: 'uncertain' }])
  })

  test('an unsent delivery is retried with backoff and given up after six attempts', async () => {
    const delays: number[] = []
    for (let attempt = 1; attempt <= 6; attempt++) {
      const [delivery] = await push.claim()
      expect(delivery).toMatchObject({ attempt })
      await push.settle({ id: delivery!.id, attempt, outcome: 'retry', reason: '503' })
      const [row] = await team.sql<{ delay: number }>(
        'select extract(epoch from due_at - now())::float8 as delay from private.push_deliveries',
      )
      delays.push(Math.round(row!.delay))
      await team.sql("update private.push_deliveries set due_at = now() where state = 'waiting'")
    }
    expect(await push.fates()).toEqual([{ state: 'failed', reason: '503' }])
    expect(delays[0]).toBeGreaterThanOrEqual(5)
    expect(delays[4]).toBeGreaterThanOrEqual(80)
    expect(delays[4]).toBeLessThanOrEqual(100)
  })

  test("a provider's Retry-After is respected", async () => {
    const [delivery] = await push.claim()
    await push.settle({ id: delivery!.id, attempt: 1, outcome: 'retry', retry_after_seconds: 600 })
    expect(
      await team.sql(
        "select from private.push_deliveries where due_at > now() + interval '9 minutes'",
      ),
    ).toHaveLength(1)
  })

  test('an unregistered device is removed, from the member too', async () => {
    await push.clear()
    const token = 'fcm-token-of-the-old-phone'
    await theo.client.from('users').update({ push_token: token }).eq('id', theo.id)
    await push.say(chat, maya, 'hello')
    const [delivery] = await push.claim()
    expect(delivery).toMatchObject({ token })
    await push.settle({ id: delivery!.id, attempt: 1, outcome: 'gone', reason: 'UNREGISTERED' })
    expect(await team.sql('select from public.push_devices')).toEqual([])
    const { data } = await theo.client.from('users').select('push_token').eq('id', theo.id).single()
    expect(data).toEqual({ push_token: null })
    expect(await push.fates()).toEqual([{ state: 'failed', reason: 'UNREGISTERED' }])
  })

  test('a delivery for a channel without credentials is reported as failed', async () => {
    expect(await push.claim(['web'])).toEqual([])
    expect(await push.fates()).toEqual([{ state: 'failed', reason: 'channel is off' }])
  })
})

test("members cannot call the worker's functions", async () => {
  for (const [name, args] of [
    ['claim_push_deliveries', { channels: ['fcm'] }],
    ['settle_push_deliveries', { results: [] }],
    ['report_push_channels', { channels: [] }],
  ] as const) {
    for (const person of [maya, dana, team.anonymous()])
      expect((await person.client.rpc(name, args)).error).toMatchObject({ code: '42501' })
  }
})
