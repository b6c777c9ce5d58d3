// A minimal WebSocket client: the generator must cost less than what it measures.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const BINARY = 0x82
const TEXT = 0x81
const CLOSE = 0x88

export type FrameSocket = {
  socket: Socket
  sendText(text: string): void
  sendBinary(bytes: Buffer): void
}

/** Opens a WebSocket; `onFrame` gets each frame's opcode and payload range. */
export function openFrameSocket(
  address: { port: number; path: string; localAddress?: string },
  onFrame: (isBinary: boolean, data: Buffer, start: number, end: number) => void,
): Promise<FrameSocket> {
  return new Promise((resolve, reject) => {
    const { port, localAddress } = address
    const socket = connect({
      ...{ port, host: '127.0.0.1', noDelay: true },
      ...(localAddress && { localAddress }),
    })
    let rest: Buffer | null = null
    let isOpen = false
    const frames: FrameSocket = {
      socket,
      sendText: (text) => socket.write(maskedFrame(TEXT, Buffer.from(text))),
      sendBinary: (bytes) => socket.write(maskedFrame(BINARY, bytes)),
    }
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('Closed before it was open')))
    socket.write(
      `GET ${address.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
    socket.on('data', (chunk) => {
      let data: Buffer = rest ? Buffer.concat([rest, chunk]) : chunk
      if (!isOpen) {
        const end = data.indexOf('\r\n\r\n')
        if (end < 0) return void (rest = data)
        if (!data.subarray(0, 12).toString().endsWith('101'))
          return reject(new Error(data.toString('latin1', 0, 200)))
        isOpen = true
        data = data.subarray(end + 4)
        resolve(frames)
      }
      // As a browser does: the server waits for it.
      const echoClose = () => socket.end(maskedFrame(CLOSE, Buffer.alloc(0)))
      const used = eachFrame(data, onFrame, echoClose)
      rest = used < data.length ? data.subarray(used) : null
    })
  })
}

function eachFrame(
  data: Buffer,
  onFrame: (isBinary: boolean, data: Buffer, start: number, end: number) => void,
  onClose: () => void,
): number {
  let offset = 0
  while (offset + 2 <= data.length) {
    const short = data[offset + 1] ?? 0
    const header = short < 126 ? 2 : short === 126 ? 4 : 10
    if (offset + header > data.length) break
    const length =
      short < 126
        ? short
        : short === 126
          ? data.readUInt16BE(offset + 2)
          : Number(data.readBigUInt64BE(offset + 2))
    const end = offset + header + length
    if (end > data.length) break
    if (data[offset] === CLOSE) onClose()
    else onFrame(data[offset] === BINARY, data, offset + header, end)
    offset = end
  }
  return offset
}

// Clients must mask; a zero mask is valid and free.
function maskedFrame(kind: number, payload: Buffer): Buffer {
  const length = payload.length
  const header = Buffer.alloc(length < 126 ? 6 : 8)
  header[0] = kind
  if (length < 126) header[1] = 0x80 | length
  else {
    header[1] = 0x80 | 126
    header.writeUInt16BE(length, 2)
  }
  return Buffer.concat([header, payload])
}
