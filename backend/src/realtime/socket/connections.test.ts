import { expect, test } from 'vitest'
import { callerFromClaims } from '#http/caller.ts'
import type { Connection } from '#realtime/channels/channel.ts'
import { createConnections } from './connections.ts'
import { createFairQueue, QueueFullError } from '#realtime/rights/fair-queue.ts'
import { LIMITS } from '#realtime/limits.ts'
import { testChannel } from '#realtime/channels/test-channels.ts'

const MAYA = { account: 'maya', session: 'phone' }

function someConnections(limits: Partial<Record<keyof typeof LIMITS, number>>) {
  const evicted: Connection[] = []
  const connections = createConnections(
    { ...LIMITS, ...limits },
    (each) => evicted.push(each),
    Date.now,
  )
  const open = (address: string) => {
    const connection = { ...testChannel().connection, address }
    connections.add(connection)
    return connection
  }
  return { connections, evicted, open }
}

test('a new anonymous socket evicts the oldest one of the same address', () => {
  const { evicted, open } = someConnections({ anonymousConnectionsPerAddress: 2 })
  const [first] = [open('a'), open('a'), open('b'), open('a')]
  expect(evicted).toEqual([first])
})

test('anonymous sockets of all addresses share one limit, and never evict a member’s socket', () => {
  const { connections, evicted, open } = someConnections({ anonymousConnections: 2 })
  const member = open('a')
  expect(connections.verify(member, MAYA)).toBe(true)
  const strangers = ['b', 'c', 'd', 'e'].map(open)
  expect(evicted).toEqual(strangers.slice(0, 2))
})

test('an account’s sockets are limited; closing one makes room for another', () => {
  const { connections, open } = someConnections({ connectionsPerAccount: 2 })
  const [first, second, third] = [open('a'), open('a'), open('a')]
  expect([first, second, third].map((each) => connections.verify(each, MAYA))).toEqual([
    true,
    true,
    false,
  ])
  connections.remove(first)
  expect(connections.verify(third, MAYA)).toBe(true)
})

test('of an account with too many sockets, the session with most of them loses its latest; on a tie the new one is refused', () => {
  const { connections, evicted, open } = someConnections({ connectionsPerAccount: 4 })
  const enter = (session: string) => {
    const connection = open('a')
    return { connection, isIn: connections.verify(connection, { account: 'maya', session }) }
  }
  const thief = ['thief', 'thief', 'thief', 'thief'].map(enter)
  expect([enter('phone').isIn, enter('desk').isIn]).toEqual([true, true])
  expect(evicted).toEqual([thief[3]?.connection, thief[2]?.connection])
  expect([enter('thief').isIn, enter('phone').isIn]).toEqual([false, false])
  connections.remove(thief[0]!.connection)
  expect(enter('thief').isIn).toBe(true)
})

test('of one session with too many sockets, the address with most of them loses its latest', () => {
  const { connections, evicted, open } = someConnections({ connectionsPerAccount: 4 })
  const enter = (address: string) => {
    const connection = open(address)
    return { connection, isIn: connections.verify(connection, MAYA) }
  }
  const thief = ['thief', 'thief', 'thief', 'thief'].map(enter)
  expect([enter('owner').isIn, enter('owner').isIn]).toEqual([true, true])
  expect(evicted).toEqual([thief[3]?.connection, thief[2]?.connection])
  expect([enter('owner').isIn, enter('thief').isIn]).toEqual([false, false])
})

test('an office of thousands behind one address can connect, but not an unlimited number', () => {
  const { connections, open } = someConnections({})
  for (let n = 0; n < LIMITS.connectionsPerAddress; n++) {
    expect(connections.hasRoom('office')).toBe(true)
    connections.verify(open('office'), { account: `member ${n}`, session: '1' })
  }
  expect(connections.hasRoom('office')).toBe(false)
  expect(connections.hasRoom('elsewhere')).toBe(true)
})

test('a socket opened with a member’s token is anonymous, too, until a channel of it is open, and again without one', () => {
  const { connections, evicted, open } = someConnections({ anonymousConnectionsPerAddress: 1 })
  const connection = { ...testChannel().connection, address: 'a' }
  connection.keyCaller = callerFromClaims({ role: 'authenticated', sub: 'maya' })
  connections.add(connection)
  expect([...connections.anonymous()]).toEqual([connection])
  connections.verify(connection, MAYA)
  expect([...connections.anonymous()]).toEqual([])
  connections.release(connection)
  open('a')
  expect(evicted).toEqual([connection])
})

test('closed connections leave nothing behind', () => {
  const { connections, open } = someConnections({})
  const [stranger, member] = [open('a'), open('a')]
  connections.verify(member, MAYA)
  for (const each of [stranger, member]) connections.remove(each)
  expect([[...connections.all()], [...connections.anonymous()]]).toEqual([[], []])
})

test('an account with one check waits for only one check of an account with many, however many sessions it has', async () => {
  const queue = createFairQueue({ concurrency: 1, queuedPerAccount: 5 })
  const order: string[] = []
  const check = (who: string) => {
    const [account = '', session = ''] = who.split(' ')
    return queue.run({ account, session }, async () => void order.push(who))
  }
  const asked = ['greedy 1', 'greedy 1', 'greedy 1', 'greedy 2', 'greedy 3', 'modest 1']
  await Promise.all(asked.map(check))
  expect(order).toEqual(['greedy 1', 'greedy 1', 'modest 1', 'greedy 2', 'greedy 3', 'greedy 1'])
})

test('of an account with too many checks, those of the session with most of them are refused', async () => {
  const queue = createFairQueue({ concurrency: 1, queuedPerAccount: 4 })
  const order: string[] = []
  const check = (who: string) =>
    queue.run({ account: 'maya', session: who }, async () => void order.push(who))
  const asked = ['flood', 'flood', 'flood', 'flood', 'flood', 'phone', 'desk', 'flood']
  const outcomes = await Promise.allSettled(asked.map(check))
  const refused = outcomes.filter((each) => each.status === 'rejected')
  expect(refused.map(({ reason }) => reason instanceof QueueFullError)).toEqual([true, true, true])
  expect(order).toEqual(['flood', 'flood', 'phone', 'desk', 'flood'])
})

test('where every session of an account has one check, the latest is refused and the others run', async () => {
  const queue = createFairQueue({ concurrency: 1, queuedPerAccount: 2 })
  const order: string[] = []
  const check = (session: string) =>
    queue.run({ account: 'maya', session }, async () => void order.push(session))
  const outcomes = await Promise.allSettled(['one', 'two', 'three', 'four'].map(check))
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  ])
  await check('five')
  expect(order).toEqual(['one', 'two', 'three', 'five'])
})
