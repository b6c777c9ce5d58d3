// The whole wire protocol of /realtime/v1/websocket as types. How a message looks in bytes is the serializers' matter.
import type { JsonObject } from './json.ts'

/** `vsn` in the socket's URL: JSON objects, or JSON arrays with binary broadcasts. */
export const SERIALIZER_VERSIONS = ['1.0.0', '2.0.0'] as const
export type SerializerVersion = (typeof SERIALIZER_VERSIONS)[number]

/** Clients put this before every topic; policies and the database see topics without it. */
export const TOPIC_PREFIX = 'realtime:'

/** What somebody broadcast. JSON stays the text it came as: nobody on the way needs to look inside. */
export type BroadcastBody =
  { encoding: 'json'; text: string } | { encoding: 'binary'; bytes: Buffer }

/** `ref` numbers a message so that it can be answered; `joinRef` is the `ref` of the join it belongs to. */
type Addressed = { topic: string; ref: string | null; joinRef: string | null }

/** What a client may say. Payloads are unknown until the file that handles the event has parsed them. */
export type ClientMessage = Addressed &
  (
    | { event: 'phx_join'; payload: JsonObject }
    | { event: 'phx_leave' }
    | { event: 'heartbeat' }
    | { event: 'access_token'; payload: JsonObject }
    | { event: 'presence'; payload: JsonObject }
    | { event: 'broadcast'; userEvent: string; body: BroadcastBody; persist: boolean }
    | { event: 'unknown'; name: string }
  )

export type PresenceMeta = JsonObject & { phx_ref: string; phx_ref_prev?: string }
/** Who is there: by presence key, one meta for each of its connections. */
export type PresenceState = Record<string, { metas: PresenceMeta[] }>
export type PresenceDiff = { joins: PresenceState; leaves: PresenceState }

/** News about a channel itself, e.g. why it is about to be closed. */
export type SystemPayload = {
  extension: 'system' | 'postgres_changes'
  status: 'ok' | 'error'
  message: string
  channel: string
}

/** What the server may say to one channel or to all of a topic. */
export type ServerMessage = Addressed &
  (
    | { event: 'phx_reply'; payload: { status: 'ok' | 'error'; response: unknown } }
    | { event: 'phx_close' | 'phx_error'; payload: Record<string, never> }
    | { event: 'system'; payload: SystemPayload }
    | { event: 'presence_state'; payload: PresenceState }
    | { event: 'presence_diff'; payload: PresenceDiff }
    | BroadcastEvent
  )

export type BroadcastEvent = {
  event: 'broadcast'
  userEvent: string
  body: BroadcastBody
  meta: { id: string; replayed?: true } | null
}
export type BroadcastMessage = Addressed & BroadcastEvent
