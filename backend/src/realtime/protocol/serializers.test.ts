import { RealtimeClient } from '@supabase/supabase-js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ClientMessage, ServerMessage } from './messages.ts'
import { parseClientMessage } from './parse-client-message.ts'
import { serializeMessage } from './serialize-message.ts'

// Tests our serializers against the official client's.
const { serializer } = new RealtimeClient('ws://localhost/realtime/v1', {
  params: { apikey: 'key' },
  transport: class {} as never,
})

type Pushed = { join_ref: string; ref: string; topic: string; event: string; payload: object }

function push(message: Pushed): ClientMessage | null {
  return serializer.encode(message, (data: ArrayBuffer | string) =>
    parseClientMessage(
      '2.0.0',
      typeof data === 'string' ? Buffer.from(data) : Buffer.from(new Uint8Array(data)),
      typeof data !== 'string',
    ),
  ) as ClientMessage | null
}

function receive(message: ServerMessage): unknown {
  const data = serializeMessage('2.0.0', message)
  const raw = typeof data === 'string' ? data : data && new Uint8Array(data).buffer
  return serializer.decode(raw as string, (decoded: unknown) => decoded)
}

const address = { topic: 'realtime:room', ref: '7', joinRef: '3' }
const toAll = { topic: 'realtime:room', ref: null, joinRef: null }

describe('messages the official client pushes', () => {
  test('any JSON broadcast is parsed as it was sent', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ maxLength: 60, unit: 'grapheme' }),
        (payload, event) => {
          const sent = { join_ref: '3', ref: '7', topic: 'realtime:room', event: 'broadcast' }
          const message = push({ ...sent, payload: { type: 'broadcast', event, payload } })
          expect(message).toMatchObject({ ...address, event: 'broadcast', userEvent: event })
          const body = message?.event === 'broadcast' ? message.body : null
          expect(body?.encoding === 'json' && JSON.parse(body.text)).toEqual(
            JSON.parse(JSON.stringify(payload ?? {})),
          )
        },
      ),
    )
  })

  test('a binary broadcast keeps its bytes', () => {
    const payload = new Uint8Array([0, 255, 10, 13]).buffer
    const sent = { join_ref: '3', ref: '7', topic: 'realtime:room', event: 'broadcast' }
    expect(push({ ...sent, payload: { event: 'draw', payload } })).toEqual({
      ...address,
      event: 'broadcast',
      userEvent: 'draw',
      body: { encoding: 'binary', bytes: Buffer.from([0, 255, 10, 13]) },
      persist: false,
    })
  })

  test('a broadcast with persist is recognized', () => {
    const sent = { join_ref: '3', ref: '7', topic: 'realtime:room', event: 'broadcast' }
    const payload = { event: 'note', payload: {}, persist: true }
    expect(push({ ...sent, payload })).toMatchObject({ persist: true })
  })
})

describe('messages the official client receives', () => {
  test('a broadcast of any payload, with its id', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ maxLength: 400, unit: 'grapheme' }),
        (payload, userEvent) => {
          const body = { encoding: 'json', text: JSON.stringify(payload) } as const
          const received = receive({
            ...toAll,
            event: 'broadcast',
            userEvent,
            body,
            meta: { id: 'an-id' },
          })
          expect(received).toMatchObject({
            topic: 'realtime:room',
            event: 'broadcast',
            payload: {
              type: 'broadcast',
              event: userEvent,
              payload: JSON.parse(JSON.stringify(payload)) as unknown,
              meta: { id: 'an-id' },
            },
          })
        },
      ),
    )
  })

  test('replies and presence', () => {
    const payload = { status: 'ok', response: { postgres_changes: [] } } as const
    expect(receive({ ...address, event: 'phx_reply', payload })).toEqual({
      topic: 'realtime:room',
      ref: '7',
      join_ref: '3',
      event: 'phx_reply',
      payload,
    })
  })
})

test('serializer 1.0.0 cannot carry binary payloads', () => {
  const body = { encoding: 'binary', bytes: Buffer.from([1]) } as const
  const message = { ...toAll, event: 'broadcast', userEvent: 'draw', body, meta: null } as const
  expect(serializeMessage('1.0.0', message)).toBeNull()
})

test('anything that is not a message of the protocol is rejected', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isBinary) => {
      for (const version of ['1.0.0', '2.0.0'] as const)
        expect(() => parseClientMessage(version, Buffer.from(bytes), isBinary)).not.toThrow()
    }),
  )
  for (const text of ['', '{}', '[]', 'null', '[1,2,3]', '{"topic":1,"event":2}'])
    for (const version of ['1.0.0', '2.0.0'] as const)
      expect(parseClientMessage(version, Buffer.from(text), false)).toBeNull()
})
