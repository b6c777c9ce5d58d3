// Parses frames into the client messages of messages.ts.
import { parseJson, isJsonObject, type JsonObject } from '#http/parse-json.ts'
import { LIMITS } from '#realtime/limits.ts'
import type { BroadcastBody, ClientMessage, SerializerVersion } from './messages.ts'

const USER_BROADCAST_PUSH = 3
const JSON_ENCODING = 1
const HEADER_BYTES = 7

/** Parses a frame of either serializer; null when it is not a message of this protocol. */
export function parseClientMessage(
  version: SerializerVersion,
  data: Buffer,
  isBinary: boolean,
): ClientMessage | null {
  try {
    if (isBinary) return version === '2.0.0' ? parseBroadcastPush(data) : null
    const parsed = parseJson(data.toString('utf8'))
    if (version === '2.0.0') {
      if (!Array.isArray(parsed)) return null
      const [joinRef, ref, topic, event, payload] = parsed as unknown[]
      return fromParts({ joinRef, ref, topic, event, payload })
    }
    if (!isJsonObject(parsed)) return null
    const { join_ref: joinRef, ref, topic, event, payload } = parsed
    return fromParts({ joinRef, ref, topic, event, payload })
  } catch {
    return null
  }
}

type Parts = { joinRef: unknown; ref: unknown; topic: unknown; event: unknown; payload: unknown }

function fromParts({ joinRef, ref, topic, event, payload }: Parts): ClientMessage | null {
  if (typeof topic !== 'string' || typeof event !== 'string') return null
  if ([ref, joinRef].some((each) => typeof each === 'string' && each.length > LIMITS.refLength))
    return null
  const address = { topic, ref: asRef(ref), joinRef: asRef(joinRef) }
  const object: JsonObject = isJsonObject(payload) ? payload : {}
  switch (event) {
    case 'phx_join':
    case 'access_token':
    case 'presence':
      return { ...address, event, payload: object }
    case 'phx_leave':
    case 'heartbeat':
      return { ...address, event }
    case 'broadcast':
      return {
        ...address,
        event,
        userEvent: typeof object.event === 'string' ? object.event : '',
        body: { encoding: 'json', text: JSON.stringify(object.payload ?? {}) },
        persist: Boolean(object.persist),
      }
    default:
      return { ...address, event: 'unknown', name: event }
  }
}

function asRef(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

// Kind, five lengths, encoding; then join ref, ref, topic, user event, metadata and payload.
function parseBroadcastPush(data: Buffer): ClientMessage | null {
  if (data.length < HEADER_BYTES || data[0] !== USER_BROADCAST_PUSH) return null
  let offset = HEADER_BYTES
  const [joinRef, ref, topic, userEvent, metadata] = [1, 2, 3, 4, 5].map((index) => {
    const end = offset + (data[index] ?? 0)
    const text = data.toString('utf8', offset, end)
    offset = end
    return text
  }) as [string, string, string, string, string]
  if (offset > data.length) return null
  const payload = data.subarray(offset)
  return {
    topic,
    ref: ref || null,
    joinRef: joinRef || null,
    event: 'broadcast',
    userEvent,
    body: readBody(data[6] === JSON_ENCODING, payload),
    persist: metadata !== '' && requestsPersistence(parseJson(metadata)),
  }
}

// Parsed only to reject invalid JSON, which would break every receiver. `data` is the socket's buffer, so bytes are copied.
function readBody(isJson: boolean, payload: Buffer): BroadcastBody {
  if (!isJson) return { encoding: 'binary', bytes: Buffer.from(payload) }
  const text = payload.toString('utf8')
  parseJson(text)
  return { encoding: 'json', text }
}

function requestsPersistence(metadata: unknown): boolean {
  return isJsonObject(metadata) && Boolean(metadata.persist)
}
