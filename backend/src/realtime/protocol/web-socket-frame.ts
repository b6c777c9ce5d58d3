const FIN = 0x80
const TEXT = 0x1
const BINARY = 0x2

/** A complete, unmasked WebSocket frame (RFC 6455), so that one Buffer can be written to many sockets. */
export function webSocketFrame(data: string | Buffer): Buffer {
  const isText = typeof data === 'string'
  const length = isText ? Buffer.byteLength(data) : data.length
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerBytes + length)
  frame[0] = FIN | (isText ? TEXT : BINARY)
  if (headerBytes === 2) frame[1] = length
  else if (headerBytes === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  if (isText) frame.write(data, headerBytes)
  else data.copy(frame, headerBytes)
  return frame
}
