import {
  dataOf,
  shorten,
  type Channel,
  type Clock,
  type Delivery,
  type Outcome,
} from './delivery.ts'
import { concat, fromBase64Url, toBase64Url } from './encoding.ts'
import { encryptForBrowser } from './encrypt-for-browser.ts'
import { outcomeOfFailure, outcomeOfStatus } from './outcome.ts'
import { keepToken, signToken } from './sign-token.ts'

export type VapidKeys = {
  /** The uncompressed public point, base64url; the `applicationServerKey` of subscriptions. */
  publicKey: string
  /** The private scalar, base64url. */
  privateKey: string
  /** Contact for push services: `mailto:` or `https:`. */
  subject: string
}

export type WebPushSettings = VapidKeys & {
  clock: Clock
  /**
   * Whether the endpoint belongs to a trusted push service. Endpoints come from members' browsers; without this check a
   * member could make the server send requests into its own network (SSRF).
   */
  isPushService?(endpoint: URL): boolean
}

const TOKEN_LIFE_S = 12 * 60 * 60
/** How long a push service stores a notification for an offline browser. */
const TTL_S = 24 * 60 * 60
const KNOWN_SERVICES =
  /^(fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|([\w-]+\.)?push\.apple\.com|[\w.-]+\.notify\.windows\.com)$/

/** Web Push: signed with VAPID, and encrypted so that only the browser can read it. */
export function createWebPush(settings: WebPushSettings): Channel {
  const { clock, isPushService = isKnownService } = settings
  const tokens = new Map<string, ReturnType<typeof keepToken<string>>>()

  // One token per push service; there are only a handful.
  function tokenFor(audience: string): Promise<string> {
    let kept = tokens.get(audience)
    if (!kept) {
      kept = keepToken(TOKEN_LIFE_S / 2, clock.now, () => signVapid(settings, audience))
      tokens.set(audience, kept)
    }
    return kept.get()
  }

  async function send(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const endpoint = parseUrl(delivery.token)
    if (!endpoint || !isPushService(endpoint))
      return { outcome: 'gone', reason: 'not the address of a known push service' }
    const { p256dh, auth } = delivery
    if (!p256dh || !auth) return { outcome: 'gone', reason: 'a subscription without keys' }
    let request: RequestInit
    try {
      request = {
        method: 'POST',
        headers: {
          authorization: `vapid t=${await tokenFor(endpoint.origin)}, k=${settings.publicKey}`,
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(TTL_S),
          topic: await topicOf(delivery.collapse_key),
          urgency: delivery.is_pressing ? 'high' : 'normal',
        },
        body: await encryptForBrowser(payloadOf(delivery), { p256dh, auth }),
        // Push services never redirect.
        redirect: 'manual',
        signal,
      }
    } catch (error) {
      return { outcome: 'gone', reason: `keys that cannot be used: ${String(error)}`.slice(0, 300) }
    }
    try {
      const response = await fetch(endpoint, request)
      return outcomeOf(response, await response.text(), clock)
    } catch (error) {
      return outcomeOfFailure(error)
    }
  }
  return { name: 'web', send }
}

/** Generates an installation's keys. */
export async function makeVapidKeys(): Promise<Pick<VapidKeys, 'publicKey' | 'privateKey'>> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const publicKey = toBase64Url(
    new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)),
  )
  return { publicKey, privateKey: d }
}

async function signVapid(
  { publicKey, privateKey, subject, clock }: WebPushSettings,
  audience: string,
) {
  const point = fromBase64Url(publicKey)
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: toBase64Url(point.slice(1, 33)),
    y: toBase64Url(point.slice(33, 65)),
    d: privateKey,
  }
  const key = await crypto.subtle.importKey(
    'jwk',
    jwk,
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  )
  const exp = Math.floor(clock.now() / 1000) + TOKEN_LIFE_S
  return signToken('ES256', key, { aud: audience, exp, sub: subject })
}

function payloadOf(delivery: Delivery): string {
  const { badge, collapse_key: tag } = delivery
  return JSON.stringify({
    title: shorten(delivery.title, 100),
    body: shorten(delivery.body),
    tag,
    badge,
    data: dataOf(delivery),
  })
}

// A topic has at most 32 characters, fewer than a UUID.
async function topicOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', concat(new TextEncoder().encode(key)))
  return toBase64Url(new Uint8Array(digest)).slice(0, 32)
}

function outcomeOf(response: Response, text: string, clock: Clock): Outcome {
  const known = outcomeOfStatus(
    response.status,
    response.headers.get('retry-after'),
    clock.now(),
    text,
  )
  if (known) return known
  const reason = `${response.status} ${text}`.trim().slice(0, 300)
  if (response.status === 404 || response.status === 410) return { outcome: 'gone', reason }
  return { outcome: 'failed', reason }
}

/** The push services of the common browsers. */
export function isKnownService(endpoint: URL): boolean {
  return (
    endpoint.protocol === 'https:' && KNOWN_SERVICES.test(endpoint.hostname) && endpoint.port === ''
  )
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
