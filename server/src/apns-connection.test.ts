import { connect, createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startApns, type Apns } from 'supabase-project/tests/push-providers.ts'
import { createApns } from 'supabase-project/functions/push/apns.ts'
import type { Channel, Delivery } from 'supabase-project/functions/push/delivery.ts'
import { createApnsConnection } from './apns-connection.ts'

let apns: Apns
let line: Server
let connections: { freeze(): void; cut(): void }[]
let connection: ReturnType<typeof createApnsConnection>
let channel: Channel
const clock = { now: () => Date.now() }
const delivery = {
  id: 1,
  attempt: 1,
  channel: 'apns',
  token: 'abc',
  kind: 'message',
  title: 'Deal desk',
  body: 'hello',
  chat_id: 'c',
  message_id: 'm',
  notice_id: null,
  link: '/chat/c',
  badge: 1,
  collapse_key: 'c',
  is_pressing: false,
} as Delivery

// A proxy between the sender and Apple that can stall or cut the connection.
beforeEach(async () => {
  apns = await startApns()
  connections = []
  const port = Number(new URL(apns.address).port)
  line = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const both: Socket[] = [near, far]
    for (const socket of both) socket.on('error', () => undefined)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    connections.push({
      freeze() {
        near.unpipe(far)
        far.unpipe(near)
      },
      cut: () => both.forEach((socket) => socket.destroy()),
    })
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
  connection = createApnsConnection(address, { idleMs: 0, pingMs: 200 })
  channel = createApns({
    privateKey: apns.privateKey,
    keyId: 'KEY',
    teamId: 'TEAM',
    topic: 'test.team',
    clock,
    sender: connection.send,
  })
})
afterEach(async () => {
  connection.close()
  for (const { cut } of connections) cut()
  await apns.close()
  await new Promise((resolve) => line.close(resolve))
})

const send = () => channel.send(delivery, AbortSignal.timeout(2000))

test('all notifications share one connection', async () => {
  expect(await Promise.all([send(), send(), send()])).toEqual([
    { outcome: 'sent' },
    { outcome: 'sent' },
    { outcome: 'sent' },
  ])
  expect(await send()).toEqual({ outcome: 'sent' })
  expect(connections).toHaveLength(1)
})

test('a connection closed while idle is reopened', async () => {
  await send()
  connections[0]?.cut()
  expect(await send()).toEqual({ outcome: 'sent' })
  expect(apns.received).toHaveLength(2)
})

test('a connection that died while idle is detected before anything is sent on it', async () => {
  await send()
  connections[0]?.freeze()
  expect(await send()).toEqual({ outcome: 'sent' })
  expect(connections).toHaveLength(2)
  expect(apns.received).toHaveLength(2)
})
