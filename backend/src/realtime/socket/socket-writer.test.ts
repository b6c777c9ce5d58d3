import { expect, test, vi } from 'vitest'
import type { BroadcastMessage } from '#realtime/protocol/messages.ts'
import * as serializer from '#realtime/protocol/serialize-message.ts'
import { createSocketWriter, newSubscribers } from './socket-writer.ts'
import { testChannel } from '#realtime/channels/test-channels.ts'

const KIB = 1024

function testWriter(queuedBytesPerSocket = 64 * KIB) {
  const onSlow = vi.fn()
  return { onSlow, writer: createSocketWriter({ queuedBytesPerSocket, onSlow }) }
}

function broadcastOf(text: string): BroadcastMessage {
  const body = { encoding: 'json', text: JSON.stringify(text) } as const
  return {
    topic: 'realtime:room',
    ref: null,
    joinRef: null,
    event: 'broadcast',
    userEvent: 'said',
    body,
    meta: null,
  }
}

const payloadsOf = (texts: string[]) => texts.map((text) => /"payload":"(\w+)"/.exec(text)?.[1])

test('messages of one turn of the event loop are serialized once and written once per socket', () => {
  const { writer } = testWriter()
  const serialize = vi.spyOn(serializer, 'serializeMessage')
  const subscribers = newSubscribers()
  const channels = [testChannel(), testChannel(), testChannel()]
  for (const channel of channels) writer.addTo(subscribers, channel)
  writer.sendToAll(subscribers, broadcastOf('one'))
  writer.sendToAll(subscribers, broadcastOf('two'))
  writer.flush()
  for (const channel of channels) {
    expect(channel.writes).toHaveLength(1)
    expect(payloadsOf(channel.texts())).toEqual(['one', 'two'])
  }
  expect(serialize).toHaveBeenCalledTimes(2)
  serialize.mockRestore()
})

test('messages to several topics and to the socket itself share one write', () => {
  const { writer } = testWriter()
  const [one, other] = [newSubscribers(), newSubscribers()]
  const channel = testChannel()
  writer.addTo(one, channel)
  writer.addTo(other, channel)
  writer.sendToAll(one, broadcastOf('one'))
  writer.send(channel.connection, broadcastOf('reply'))
  writer.sendToAll(other, broadcastOf('two'))
  writer.flush()
  expect(channel.writes).toHaveLength(1)
  expect(payloadsOf(channel.texts()).toSorted()).toEqual(['one', 'reply', 'two'])
})

test('an excluded sender misses only its own message', () => {
  const { writer } = testWriter()
  const subscribers = newSubscribers()
  const [sender, listener] = [testChannel(), testChannel()]
  writer.addTo(subscribers, sender)
  writer.addTo(subscribers, listener)
  writer.sendToAll(subscribers, broadcastOf('one'), [sender])
  writer.sendToAll(subscribers, broadcastOf('two'))
  writer.flush()
  expect(payloadsOf(sender.texts())).toEqual(['two'])
  expect(payloadsOf(listener.texts())).toEqual(['one', 'two'])
})

test('a message reaches exactly those subscribed when it was sent', () => {
  const { writer } = testWriter()
  const subscribers = newSubscribers()
  const [early, late] = [testChannel(), testChannel()]
  writer.addTo(subscribers, early)
  writer.sendToAll(subscribers, broadcastOf('one'))
  writer.addTo(subscribers, late)
  writer.removeFrom(subscribers, early)
  writer.sendToAll(subscribers, broadcastOf('two'))
  writer.flush()
  expect(payloadsOf(early.texts())).toEqual(['one'])
  expect(payloadsOf(late.texts())).toEqual(['two'])
})

test('a socket that does not read is closed when its queue exceeds the limit', () => {
  const { writer, onSlow } = testWriter(4 * KIB)
  const subscribers = newSubscribers()
  const [stuck, reading] = [testChannel({ isStuck: true }), testChannel()]
  writer.addTo(subscribers, stuck)
  writer.addTo(subscribers, reading)
  for (let count = 0; count < 10; count++) {
    writer.sendToAll(subscribers, broadcastOf('x'.repeat(KIB)))
    writer.flush()
  }
  expect(onSlow).toHaveBeenCalledWith(stuck.connection)
  expect(onSlow).not.toHaveBeenCalledWith(reading.connection)
  expect(reading.texts()).toHaveLength(10)
})

test('each serializer gets its own frames', () => {
  const { writer } = testWriter()
  const subscribers = newSubscribers()
  const [objects, arrays] = [testChannel({ version: '1.0.0' }), testChannel({ version: '2.0.0' })]
  writer.addTo(subscribers, objects)
  writer.addTo(subscribers, arrays)
  writer.sendToAll(subscribers, broadcastOf('one'))
  writer.flush()
  expect(objects.writes[0]?.[0]).toBe(0x81)
  expect(arrays.writes[0]?.[0]).toBe(0x82)
})
