// Slow requests of one caller do not delay others: the gate stays closed until the others have their responses.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIMITS } from '../src/postgres/limits.ts'
import { startGate, type Gate } from './gate.ts'

vi.setConfig({ testTimeout: 60_000 })
let gate: Gate

// A new backend per test, because the service records the duration of statements.
beforeEach(async () => {
  gate = await startGate()
})
afterEach(() => gate.close())

function slowCalls(count: number, member?: string) {
  return Array.from({ length: count }, (_, each) =>
    gate.call('wait_at_gate', `${member} ${each}`, { member }),
  )
}

test.each([undefined, 'mallory'])(
  'a member gets responses while 24 slow requests of one caller (%s) wait',
  async (caller) => {
    const slow = slowCalls(24, caller)
    await expect.poll(gate.waiting).toBe(LIMITS.slowStatementsPerCaller)
    for (let each = 0; each < 20; each++) {
      const response = await gate.call('pass', 'hello', { member: 'maya' })
      expect(await response.json()).toBe('hello')
    }
    expect(await gate.waiting()).toBe(LIMITS.slowStatementsPerCaller)
    await gate.open()
    for (const response of await Promise.all(slow)) expect(response.status).toBe(200)
    expect(await gate.notes()).toHaveLength(24)
  },
)

test('a member gets responses while five others run as many slow requests as allowed', async () => {
  const others = ['one', 'two', 'three', 'four', 'five']
  const slow = others.flatMap((member) => slowCalls(4, member))
  // How many more than that depends on who asked first.
  await expect.poll(gate.waiting).toBeGreaterThanOrEqual(LIMITS.slowStatementsUntilShared)
  const response = await gate.call('pass', 'hello', { member: 'maya' })
  expect(await response.json()).toBe('hello')
  await gate.open()
  for (const response of await Promise.all(slow)) expect(response.status).toBe(200)
})

test('a member gets responses while twelve others run slow requests', async () => {
  expect((await gate.call('pass', 'known', { member: 'maya' })).status).toBe(200)
  const slow = Array.from({ length: 12 }, (_, each) => slowCalls(2, `member ${each}`)).flat()
  await expect.poll(gate.waiting).toBe(LIMITS.slowStatements)
  const response = await gate.call('pass', 'hello', { member: 'maya' })
  expect(await response.json()).toBe('hello')
  await gate.open()
  for (const response of await Promise.all(slow)) expect(response.status).toBe(200)
})

test("a member's fast requests are not delayed by the same member's slow ones", async () => {
  const slow = slowCalls(4, 'maya')
  await expect.poll(gate.waiting).toBe(LIMITS.slowStatementsPerCaller)
  // Now the statement is known to be fast.
  await gate.call('pass', 'first', { member: 'dana' })
  const response = await gate.call('pass', 'hello', { member: 'maya' })
  expect(await response.json()).toBe('hello')
  await gate.open()
  await Promise.all(slow)
})

test('a member gets responses while a formerly fast statement is slow for another member', async () => {
  await gate.open()
  for (let each = 0; each < 10; each++) await gate.call('wait_at_gate', 'fast', { member: 'lee' })
  await gate.shut()
  const slow = slowCalls(24, 'mallory')
  await expect.poll(gate.waiting).toBeGreaterThanOrEqual(LIMITS.slowStatementsPerCaller)
  for (let each = 0; each < 20; each++) {
    const response = await gate.call('pass', 'hello', { member: 'maya' })
    expect(await response.json()).toBe('hello')
  }
  await expect.poll(gate.waiting).toBe(LIMITS.slowStatementsPerCaller)
  await gate.open()
  for (const response of await Promise.all(slow)) expect(response.status).toBe(200)
  // Those that were canceled to make way ran again, once.
  expect(await gate.notes()).toHaveLength(10 + 24)
})

test('a member gets responses while many formerly fast statements are slow for another member', async () => {
  const shapes = Array.from({ length: 10 }, (_, each) => `shape_${each}`)
  await gate.open()
  for (const shape of [...shapes, ...shapes]) {
    expect((await gate.read(shape, 'mallory')).status).toBe(200)
  }
  await gate.shut()
  let responses = 0
  const slow = shapes
    .flatMap((shape) => Array.from({ length: 10 }, () => shape))
    .map(async (shape) => {
      await gate.read(shape, 'mallory')
      responses++
    })
  await expect.poll(gate.waiting).toBeGreaterThanOrEqual(LIMITS.slowStatementsPerCaller)
  for (let each = 0; each < 20; each++) {
    const response = await gate.call('pass', 'hello', { member: 'maya' })
    expect(await response.json()).toBe('hello')
  }
  await expect.poll(gate.waiting).toBe(LIMITS.slowStatementsPerCaller)
  expect(responses).toBe(0)
  await gate.open()
  await Promise.all(slow)
})

test('a request does not wait behind a formerly fast statement on the same connection', async () => {
  const others = ['one', 'two', 'three', 'four']
  await gate.open()
  for (const member of others) expect((await gate.read('shape', member)).status).toBe(200)
  await gate.call('pass', 'known', { member: 'maya' })
  await gate.shut()
  let responses = 0
  // One on each connection, so that maya's request has to share one.
  const slow = others.map(async (member) => {
    const response = await gate.read('shape', member)
    responses++
    return response.status
  })
  await expect.poll(gate.waiting).toBe(others.length)
  const response = await gate.call('pass', 'hello', { member: 'maya' })
  expect(await response.json()).toBe('hello')
  expect(responses).toBe(0)
  await gate.open()
  expect(await Promise.all(slow)).toEqual([200, 200, 200, 200])
})

test('a caller with too many waiting requests gets 503 with Retry-After; others do not', async () => {
  const waiting = LIMITS.waitingRequestsPerCaller
  let refused = 0
  const calls = slowCalls(LIMITS.slowStatementsPerCaller + waiting + 30, 'mallory').map(
    async (each) => {
      const response = await each
      if (response.status !== 503) return response.status
      refused++
      expect(response.headers.get('retry-after')).toBe('1')
      expect(await response.json()).toMatchObject({ code: 'PGRST003' })
      return 503
    },
  )
  await expect.poll(() => refused).toBe(30)
  expect((await gate.call('pass', 'hello', { member: 'maya' })).status).toBe(200)
  await gate.open()
  const statuses = await Promise.all(calls)
  expect(statuses.filter((status) => status === 200)).toHaveLength(waiting + 2)
})
