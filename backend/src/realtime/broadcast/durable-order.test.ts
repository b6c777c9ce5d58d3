import { beforeEach, expect, test } from 'vitest'
import type { Flush } from '#postgres/shared-flush.ts'
import { createDurableOrder, type DurableOrder } from './durable-order.ts'

type Gate = { promise: Promise<void>; resolve(): void; reject(error: Error): void }

function gate(): Gate {
  let settle: Omit<Gate, 'promise'> | null = null
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...(settle as unknown as Omit<Gate, 'promise'>) }
}

let flushes: Gate[]
let flush: Flush | null
let errors: unknown[]
let seen: string[]
let inOrder: DurableOrder

beforeEach(() => {
  flushes = []
  flush = () => {
    const begun = gate()
    flushes.push(begun)
    return begun.promise
  }
  errors = []
  seen = []
  inOrder = createDurableOrder(
    () => flush,
    (error) => errors.push(error),
  )
})

const publish = (name: string, isDurable: boolean) =>
  inOrder({
    isDurable,
    run: () => seen.push(name),
    onLost: () => seen.push(`${name} lost`),
  })
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what is on disk runs at once', () => {
  publish('one', true)
  publish('two', true)
  expect(seen).toEqual(['one', 'two'])
})

test('what is not on disk yet waits, and everything published later waits behind it', async () => {
  publish('written', false)
  publish('recheck', true)
  publish('written later', false)
  flushes[1]?.resolve()
  await settled()
  expect(seen).toEqual([])
  flushes[0]?.resolve()
  await settled()
  expect(seen).toEqual(['written', 'recheck', 'written later'])
  publish('afterwards', true)
  expect(seen.at(-1)).toBe('afterwards')
})

test('what may be lost does not run, and does not hold up what follows', async () => {
  publish('written', false)
  publish('published', true)
  flushes[0]?.reject(new Error('Postgres is gone'))
  await settled()
  flush = null
  publish('without a connection', false)
  await settled()
  expect(seen).toEqual(['written lost', 'published', 'without a connection lost'])
  expect(errors).toHaveLength(1)
})

test('work that throws does not hold up what follows', async () => {
  inOrder({
    isDurable: false,
    run: () => {
      throw new Error('broken')
    },
  })
  publish('next', true)
  flushes[0]?.resolve()
  await settled()
  expect(seen).toEqual(['next'])
  expect(errors).toHaveLength(1)
})
