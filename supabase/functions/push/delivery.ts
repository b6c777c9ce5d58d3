/** One notification for one device, as returned by `claim_push_deliveries`. */
export type Delivery = {
  id: number
  attempt: number
  channel: ChannelName
  token: string
  p256dh: string | null
  auth: string | null
  kind: 'message' | 'notice' | 'test'
  title: string
  body: string
  chat_id: string | null
  message_id: string | null
  notice_id: string | null
  /** The app path a tap opens. */
  link: string | null
  sent_at: string | null
  /** The number on the app's icon. */
  badge: number
  /** A newer notification replaces an older one with the same key. */
  collapse_key: string
  is_pressing: boolean
}

export type ChannelName = 'apns' | 'fcm' | 'web'

/** Outcome of a delivery. Only `retry` is sent again, so it must mean: certainly not sent. */
export type Outcome =
  | { outcome: 'sent' }
  | { outcome: 'retry'; reason: string; retry_after_seconds?: number }
  | { outcome: 'gone'; reason: string }
  | { outcome: 'failed'; reason: string }
  | { outcome: 'uncertain'; reason: string }

/** Sends through one provider. Provider and network errors are outcomes, never exceptions. */
export type Channel = {
  name: ChannelName
  send(delivery: Delivery, signal: AbortSignal): Promise<Outcome>
}

export type Clock = { now(): number }

/** The data every provider passes to the app along with the visible text. */
export function dataOf(delivery: Delivery): Record<string, string> {
  const { kind, chat_id, message_id, notice_id, link } = delivery
  const fields = { kind, chat_id, message_id, notice_id, link }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Record<
    string,
    string
  >
}

/** Providers limit a notification to 4 KB; nobody reads more than this in one. */
export function shorten(text: string, length = 240): string {
  const signs = [...text]
  return signs.length <= length ? text : `${signs.slice(0, length - 1).join('')}…`
}
