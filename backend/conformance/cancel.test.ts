// When a client disconnects, its waiting requests are dropped and its running ones canceled in Postgres, without
// affecting anyone else's.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startGate, type Gate } from './gate.ts'

vi.setConfig({ testTimeout: 60_000 })
let gate: Gate

// A new backend per test, because the service records the duration of statements.
beforeEach(async () => {
  gate = await startGate()
})
afterEach(() => gate.close())

function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    gate.backend.app.server.getConnections((error, count) =>
      error ? reject(error) : resolve(count),
    ),
  )
}

test('a running request is canceled in Postgres and rolled back when its client disconnects', async () => {
  const client = new AbortController()
  const calls = ['one', 'two'].map((note) =>
    gate.call('wait_at_gate', note, { member: 'maya', signal: client.signal }),
  )
  await expect.poll(gate.waiting).toBe(2)
  client.abort()
  await Promise.allSettled(calls)
  await expect.poll(gate.waiting).toBe(0)
  await gate.open()
  expect(await gate.notes()).toEqual([])
})

test('a waiting request is dropped when its client disconnects', async () => {
  const member = 'maya'
  await gate.call('pass', 'known from now on', { member })
  const running = ['one', 'two'].map((note) => gate.call('wait_at_gate', note, { member }))
  await expect.poll(gate.waiting).toBe(2)
  const client = new AbortController()
  const dropped = gate.call('wait_at_gate', 'three', { member, signal: client.signal })
  // The next request in the same turn got its response, so `dropped` has arrived.
  await gate.call('pass', 'arrived', { member })
  const before = await connections()
  client.abort()
  await expect(dropped).rejects.toThrow()
  await expect.poll(connections).toBeLessThan(before)
  await gate.open()
  for (const response of await Promise.all(running)) expect(response.status).toBe(200)
  await gate.call('wait_at_gate', 'last', { member })
  expect(await gate.notes()).toEqual(['last', 'one', 'two'])
})

test('while requests of some members are canceled, every request of others gets its response', async () => {
  let responses = 0
  let done = false
  async function keepAsking(member: string) {
    while (!done) {
      const response = await gate.call('pass', member, { member })
      expect([response.status, await response.json()]).toEqual([200, member])
      responses++
    }
  }
  const others = Promise.all(['dana', 'lee', 'kim', 'noor'].map(keepAsking))
  for (let round = 0; round < 5; round++) {
    const client = new AbortController()
    const calls = [1, 2, 3, 4].map((each) =>
      gate.call('wait_at_gate', `${each}`, { member: `gone ${each % 2}`, signal: client.signal }),
    )
    await expect.poll(gate.waiting).toBe(4)
    client.abort()
    await Promise.allSettled(calls)
    await expect.poll(gate.waiting).toBe(0)
  }
  done = true
  await others
  expect(responses).toBeGreaterThan(10)
  expect(await gate.notes()).toEqual([])
})
