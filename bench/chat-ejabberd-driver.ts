// A minimal XMPP client over TCP: just enough for a group chat, and cheap to parse.
import { connect, type Socket } from 'node:net'
import type { Arena } from './chat-types.ts'
import { readSentAt, type Driver, type OnDelivery, type Watch } from './chat-drivers.ts'

const BODY = Buffer.from('<body')
const MESSAGE_END = Buffer.from('</message>')

type Ejabberd = Extract<Arena, { kind: 'ejabberd' }>

export function createEjabberdDriver(
  arena: Ejabberd,
  watch: Watch,
  onDelivery: OnDelivery,
): Driver {
  const sockets = new Map<number, Socket>()
  /** The echo of a sender's own message is the acknowledgement. */
  const waiting = new Map<number, (() => void)[]>()

  function listen(seat: number, socket: Socket) {
    const own = Buffer.from(`${arena.room}/seat-${seat}'`)
    let rest: Buffer | null = null
    socket.on('data', (chunk) => {
      const data: Buffer = rest ? Buffer.concat([rest, chunk]) : chunk
      let start = 0
      for (let end = data.indexOf(MESSAGE_END); end >= 0; end = data.indexOf(MESSAGE_END, start)) {
        // A room's subject is a message without a body.
        const body = data.indexOf(BODY, start)
        if (body >= 0 && body < end) onDelivery(watch.parses ? readSentAt(data, start, end) : null)
        const queue = waiting.get(seat)
        if (queue?.length) {
          const from = data.indexOf(own, start)
          if (from >= 0 && from < end) queue.shift()?.()
        }
        start = end + MESSAGE_END.length
      }
      rest = start < data.length ? data.subarray(start) : null
    })
  }

  return {
    async connect(seat) {
      const socket = await signIn(arena, seat)
      sockets.set(seat, socket)
      listen(seat, socket)
    },
    say(seat, text) {
      return new Promise((resolve) => {
        const queue = waiting.get(seat) ?? []
        waiting.set(seat, queue)
        queue.push(resolve)
        sockets
          .get(seat)
          ?.write(
            `<message type='groupchat' id='m' to='${arena.room}'><body>${text}</body></message>`,
          )
      })
    },
    close: () => {
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}

async function signIn(arena: Ejabberd, seat: number): Promise<Socket> {
  const socket = connect({ port: arena.port, host: '127.0.0.1', noDelay: true })
  const stream = `<stream:stream to='${arena.host}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`
  const user = `seat-${seat}`
  const secret = Buffer.from(`\0${user}\0secret`).toString('base64')
  const bind = `<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>r</resource></bind>`
  const enter = `<x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x>`
  const steps: [say: string, response: string][] = [
    [stream, '</stream:features>'],
    [
      `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${secret}</auth>`,
      '<success',
    ],
    [stream, '</stream:features>'],
    [`<iq type='set' id='bind'>${bind}</iq>`, "type='result'"],
    [`<presence to='${arena.room}/${user}'>${enter}</presence>`, '</presence>'],
  ]
  for (const [say, response] of steps) {
    socket.write(say)
    await until(socket, response)
  }
  return socket
}

function until(socket: Socket, response: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('<failure') || text.includes("type='error'")) reject(new Error(text))
      if (!text.includes(response)) return
      socket.off('data', onData)
      resolve()
    }
    socket.on('data', onData)
    socket.once('error', reject)
  })
}
