// Serializes server messages to text or bytes.
import type { BroadcastMessage, SerializerVersion, ServerMessage } from './messages.ts'

const USER_BROADCAST = 4
const HEADER_BYTES = 5
const MAX_NAME_BYTES = 255

/** A string is sent as a text frame, a Buffer as a binary one. Null for binary payloads in version 1.0.0. */
export function serializeMessage(
  version: SerializerVersion,
  message: ServerMessage,
): string | Buffer | null {
  if (message.event !== 'broadcast')
    return envelope(version, message, JSON.stringify(message.payload))
  if (version === '2.0.0') {
    const bytes = userBroadcast(message)
    if (bytes) return bytes
  }
  if (message.body.encoding === 'binary') return null
  return envelope(version, message, broadcastPayload(message, message.body.text))
}

function envelope(version: SerializerVersion, message: ServerMessage, payload: string): string {
  const joinRef = JSON.stringify(message.joinRef)
  const ref = JSON.stringify(message.ref)
  const topic = JSON.stringify(message.topic)
  return version === '2.0.0'
    ? `[${joinRef},${ref},${topic},"${message.event}",${payload}]`
    : `{"topic":${topic},"event":"${message.event}","payload":${payload},"ref":${ref},"join_ref":${joinRef}}`
}

function broadcastPayload({ userEvent, meta }: BroadcastMessage, payload: string): string {
  const metaPart = meta ? `,"meta":${JSON.stringify(meta)}` : ''
  return `{"event":${JSON.stringify(userEvent)},"payload":${payload},"type":"broadcast"${metaPart}}`
}

// Lengths are single bytes; a longer name falls back to JSON text, which clients also accept.
function userBroadcast({ topic, userEvent, meta, body }: BroadcastMessage): Buffer | null {
  const parts = [
    Buffer.from(topic),
    Buffer.from(userEvent),
    Buffer.from(meta ? JSON.stringify(meta) : ''),
  ]
  if (parts.some((part) => part.length > MAX_NAME_BYTES)) return null
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header[0] = USER_BROADCAST
  parts.forEach((part, index) => (header[index + 1] = part.length))
  header[4] = body.encoding === 'json' ? 1 : 0
  return Buffer.concat([
    header,
    ...parts,
    body.encoding === 'json' ? Buffer.from(body.text) : body.bytes,
  ])
}
