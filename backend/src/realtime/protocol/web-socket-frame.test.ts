import type { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import * as ws from 'ws'
import { webSocketFrame } from './web-socket-frame.ts'

// The frame parser of ws, which its types omit.
const { Receiver } = ws as unknown as { Receiver: new () => Writable }

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])(
  'a frame of %i bytes is one message',
  (length) => {
    for (const data of [Buffer.alloc(length, 7), 'x'.repeat(length)]) {
      const received: { data: Buffer; isBinary: boolean }[] = []
      const receiver = new Receiver()
      receiver.on('message', (bytes: Buffer, isBinary: boolean) =>
        received.push({ data: Buffer.from(bytes), isBinary }),
      )
      receiver.write(webSocketFrame(data))
      expect(received).toHaveLength(1)
      expect(received[0]?.data.equals(Buffer.from(data))).toBe(true)
      expect(received[0]?.isBinary).toBe(typeof data !== 'string')
    }
  },
)
