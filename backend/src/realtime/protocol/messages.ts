// Types of the wire protocol of /realtime/v1/websocket, independent of the serializer.
import type { JsonObject } from '#http/parse-json.ts'

/** `vsn` in the socket's URL: JSON objects, or JSON arrays with binary broadcasts. */
export const SERIALIZER_VERSIONS = ['1.0.0', '2.0.0'] as const
export type SerializerVersion = (typeof SERIALIZER_VERSIONS)[number]

/** Clients prefix every topic with this; policies and the database see topics without it. */
export const TOPIC_PREFIX = 'realtime:'
export const MAX_TOPIC_BYTES = 255

/** A broadcast's payload. JSON stays text: it is passed on without being parsed. */
export type BroadcastBody =
  { encoding: 'json'; text: string } | { encoding: 'binary'; bytes: Buffer }

/** `ref` identifies a message for its reply; `joinRef` is the `ref` of the join it belongs to. */
type Addressed = { topic: string; ref: string | null; joinRef: string | null }

/** Messages from a client. Payloads are parsed by the handler of the event. */
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
/** By presence key, one meta for each connection. */
export type PresenceState = Record<string, { metas: PresenceMeta[] }>
export type PresenceDiff = { joins: PresenceState; leaves: PresenceState }

/** About the channel itself, e.g. why it is about to be closed. */
export type SystemPayload = {
  extension: 'system' | 'postgres_changes'
  status: 'ok' | 'error'
  message: string
  channel: string
}

/** Messages from the server, to one channel or to all of a topic. */
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
