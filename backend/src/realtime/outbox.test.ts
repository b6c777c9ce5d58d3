import { expect, test, vi } from 'vitest'
import type { BroadcastMessage } from './messages.ts'
import { createOutbox, newAudience } from './outbox.ts'
import * as serialize from './serialize-message.ts'
import { aChannel } from './test-channels.ts'

const KIB = 1024

function anOutbox(queuedBytesPerSocket = 64 * KIB) {
  const onSlow = vi.fn()
  return { onSlow, outbox: createOutbox({ queuedBytesPerSocket, onSlow }) }
}

function saying(text: string): BroadcastMessage {
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

const said = (texts: string[]) => texts.map((text) => /"payload":"(\w+)"/.exec(text)?.[1])

test('what is said within one turn of the event loop is one write for each socket, serialised once', () => {
  const { outbox } = anOutbox()
  const serialise = vi.spyOn(serialize, 'serializeMessage')
  const audience = newAudience()
  const channels = [aChannel(), aChannel(), aChannel()]
  for (const channel of channels) outbox.addTo(audience, channel)
  outbox.sendToAll(audience, saying('one'))
  outbox.sendToAll(audience, saying('two'))
  outbox.flush()
  for (const channel of channels) {
    expect(channel.writes).toHaveLength(1)
    expect(said(channel.texts())).toEqual(['one', 'two'])
  }
  expect(serialise).toHaveBeenCalledTimes(2)
  serialise.mockRestore()
})

test('messages to several topics and to the socket itself are one write', () => {
  const { outbox } = anOutbox()
  const [one, other] = [newAudience(), newAudience()]
  const channel = aChannel()
  outbox.addTo(one, channel)
  outbox.addTo(other, channel)
  outbox.sendToAll(one, saying('one'))
  outbox.send(channel.connection, saying('reply'))
  outbox.sendToAll(other, saying('two'))
  outbox.flush()
  expect(channel.writes).toHaveLength(1)
  expect(said(channel.texts()).toSorted()).toEqual(['one', 'reply', 'two'])
})

test('the sender of a message is left out of it, not of the others', () => {
  const { outbox } = anOutbox()
  const audience = newAudience()
  const [sender, hearer] = [aChannel(), aChannel()]
  outbox.addTo(audience, sender)
  outbox.addTo(audience, hearer)
  outbox.sendToAll(audience, saying('one'), [sender])
  outbox.sendToAll(audience, saying('two'))
  outbox.flush()
  expect(said(sender.texts())).toEqual(['two'])
  expect(said(hearer.texts())).toEqual(['one', 'two'])
})

test('who joins after a message does not hear it, who leaves after it does', () => {
  const { outbox } = anOutbox()
  const audience = newAudience()
  const [early, late] = [aChannel(), aChannel()]
  outbox.addTo(audience, early)
  outbox.sendToAll(audience, saying('one'))
  outbox.addTo(audience, late)
  outbox.removeFrom(audience, early)
  outbox.sendToAll(audience, saying('two'))
  outbox.flush()
  expect(said(early.texts())).toEqual(['one'])
  expect(said(late.texts())).toEqual(['two'])
})

test('a socket that does not read is cut off once more waits for it than the limit', () => {
  const { outbox, onSlow } = anOutbox(4 * KIB)
  const audience = newAudience()
  const [stuck, reading] = [aChannel({ isStuck: true }), aChannel()]
  outbox.addTo(audience, stuck)
  outbox.addTo(audience, reading)
  for (let count = 0; count < 10; count++) {
    outbox.sendToAll(audience, saying('x'.repeat(KIB)))
    outbox.flush()
  }
  expect(onSlow).toHaveBeenCalledWith(stuck.connection)
  expect(onSlow).not.toHaveBeenCalledWith(reading.connection)
  expect(reading.texts()).toHaveLength(10)
})

test('each serializer gets its own frames', () => {
  const { outbox } = anOutbox()
  const audience = newAudience()
  const [objects, arrays] = [aChannel({ version: '1.0.0' }), aChannel({ version: '2.0.0' })]
  outbox.addTo(audience, objects)
  outbox.addTo(audience, arrays)
  outbox.sendToAll(audience, saying('one'))
  outbox.flush()
  expect(objects.writes[0]?.[0]).toBe(0x81)
  expect(arrays.writes[0]?.[0]).toBe(0x82)
})
