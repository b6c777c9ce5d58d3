// A chunk of one byte is six bytes on the wire, and costs a Buffer and a callback here. A few connections that send nothing
// else keep the process busy and fill its memory, whether anybody reads the body or not. Real clients send large chunks.
import type { IncomingMessage, Server } from 'node:http'
import { LIMITS } from './limits.ts'

/** Closes the connections of chunked bodies with too many tiny chunks. */
export function limitChunks(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (request.headers['transfer-encoding'] !== undefined) watchChunks(request)
  })
}

/** Node's parser calls `push` with each chunk; a listener for `data` would get it only when the body is read. */
function watchChunks(request: IncomingMessage) {
  const push = request.push.bind(request)
  let chunks = 0
  let bytes = 0
  request.push = (chunk: Buffer | null) => {
    if (request.socket.destroyed) return false
    chunks++
    bytes += chunk?.length ?? 0
    const isTiny = chunks > LIMITS.tinyChunks && bytes < chunks * LIMITS.tinyChunkBytes
    if (!isTiny || chunk === null) return push(chunk)
    request.socket.destroy()
    return false
  }
}
