import {
  dataOf,
  shorten,
  type Channel,
  type Clock,
  type Delivery,
  type Outcome,
} from './delivery.ts'
import { fromPem } from './encoding.ts'
import { outcomeOfFailure, outcomeOfStatus } from './outcome.ts'
import { keepToken, signToken } from './sign-token.ts'

export type ApnsRequest = { path: string; headers: Record<string, string>; body: string }
export type ApnsResponse = { status: number; retryAfter: string | null; body: string }
/** APNs requires HTTP/2, which is runtime-specific: Node has a module for it, Deno's fetch speaks it. */
export type ApnsSender = (request: ApnsRequest, signal: AbortSignal) => Promise<ApnsResponse>

export type ApnsSettings = {
  /** The `.p8` file of the key. */
  privateKey: string
  keyId: string
  teamId: string
  /** The app's bundle id. */
  topic: string
  clock: Clock
  sender: ApnsSender
}

/** APNs wants tokens to be reused for 20 to 60 minutes. */
const TOKEN_LIFE_S = 40 * 60
const TTL_S = 24 * 60 * 60
const GONE = new Set(['Unregistered', 'BadDeviceToken', 'DeviceTokenNotForTopic', 'ExpiredToken'])

/** Sends to iOS through APNs. */
export function createApns(settings: ApnsSettings): Channel {
  const { clock, sender } = settings
  const tokens = keepToken(TOKEN_LIFE_S, clock.now, () => signProvider(settings))

  async function send(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const path = `/3/device/${encodeURIComponent(delivery.token)}`
    let request: ApnsRequest
    try {
      request = {
        path,
        headers: headersOf(delivery, settings, await tokens.get()),
        body: payloadOf(delivery),
      }
    } catch (error) {
      return { outcome: 'failed', reason: `the key cannot be used: ${String(error)}`.slice(0, 300) }
    }
    try {
      const response = await sender(request, signal)
      const outcome = outcomeOf(response, clock)
      if (/ExpiredProviderToken|InvalidProviderToken/.test(response.body)) tokens.drop()
      return outcome
    } catch (error) {
      return outcomeOfFailure(error)
    }
  }
  return { name: 'apns', send }
}

async function signProvider({ privateKey, keyId, teamId, clock }: ApnsSettings): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const key = await crypto.subtle.importKey('pkcs8', fromPem(privateKey), algorithm, false, [
    'sign',
  ])
  return signToken(
    'ES256',
    key,
    { iss: teamId, iat: Math.floor(clock.now() / 1000) },
    { kid: keyId },
  )
}

function headersOf(
  delivery: Delivery,
  { topic, clock }: ApnsSettings,
  token: string,
): Record<string, string> {
  return {
    authorization: `bearer ${token}`,
    'apns-topic': topic,
    'apns-push-type': 'alert',
    'apns-priority': '10',
    'apns-expiration': String(Math.floor(clock.now() / 1000) + TTL_S),
    'apns-collapse-id': delivery.collapse_key,
    'content-type': 'application/json',
  }
}

function payloadOf(delivery: Delivery): string {
  const { badge, collapse_key, is_pressing } = delivery
  return JSON.stringify({
    aps: {
      alert: { title: shorten(delivery.title, 100), body: shorten(delivery.body) },
      badge,
      sound: 'default',
      'thread-id': collapse_key,
      ...(is_pressing ? { 'interruption-level': 'time-sensitive' } : {}),
    },
    ...dataOf(delivery),
  })
}

function outcomeOf({ status, retryAfter, body }: ApnsResponse, clock: Clock): Outcome {
  const reason = reasonOf(body)
  const known = outcomeOfStatus(status, retryAfter, clock.now(), reason)
  if (known) return known
  const text = `${status} ${reason}`.trim()
  if (status === 410 || GONE.has(reason)) return { outcome: 'gone', reason: text }
  if (reason === 'ExpiredProviderToken') return { outcome: 'retry', reason: text }
  return { outcome: 'failed', reason: text }
}

function reasonOf(body: string): string {
  try {
    return (JSON.parse(body) as { reason?: string }).reason ?? ''
  } catch {
    return ''
  }
}
