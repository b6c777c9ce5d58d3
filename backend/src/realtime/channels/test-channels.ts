// Channels on fake sockets that record what is written to them, for the tests of this folder.
import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { anonymousCaller } from '#http/caller.ts'
import { topicKey, type Channel, type Connection } from './channel.ts'
import type { SerializerVersion } from '#realtime/protocol/messages.ts'
import { newRateWindow } from '#http/rate-window.ts'

export type TestChannel = Channel & {
  /** One entry for each write to the socket. */
  writes: Buffer[]
  /** The text of each frame, in the order of their arrival. */
  texts(): string[]
}

type Options = { name?: string; version?: SerializerVersion; isStuck?: boolean; key?: string }

export function testChannel(options: Options = {}): TestChannel {
  const { name = 'room', version = '1.0.0', isStuck = false, key = '' } = options
  const writes: Buffer[] = []
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk)
      if (!isStuck) done()
    },
    writev(chunks, done) {
      writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)))
      if (!isStuck) done()
    },
  })
  const connection: Connection = {
    version,
    webSocket: {} as WebSocket,
    stream,
    account: null,
    session: null,
    anonymousSince: 0,
    anonymousBytes: 0,
    unhandledBytes: 0,
    keyCaller: anonymousCaller,
    address: '127.0.0.1',
    channels: new Map(),
    inProgress: new Map(),
    queued: [],
    joins: newRateWindow(),
    waitingJoins: 0,
    events: newRateWindow(),
    isAlive: true,
    isClosed: false,
  }
  return {
    connection,
    topic: `realtime:${name}`,
    name,
    key: topicKey(name, false),
    isPrivate: false,
    joinRef: '1',
    caller: anonymousCaller,
    accessToken: null,
    rights: { broadcast: {}, presence: {} },
    acknowledgesBroadcasts: false,
    receivesOwnBroadcasts: false,
    presenceEnabled: true,
    presenceKey: key || name,
    tracked: null,
    presenceEvents: newRateWindow(),
    replayedIds: null,
    held: null,
    isOpen: true,
    writes,
    texts: () => readFrames(Buffer.concat(writes)),
  }
}

function readFrames(bytes: Buffer): string[] {
  const texts: string[] = []
  for (let offset = 0; offset < bytes.length;) {
    const short = bytes.readUInt8(offset + 1)
    const [start, length] =
      short < 126 ? [offset + 2, short] : [offset + 4, bytes.readUInt16BE(offset + 2)]
    texts.push(bytes.toString('utf8', start, start + length))
    offset = start + length
  }
  return texts
}
