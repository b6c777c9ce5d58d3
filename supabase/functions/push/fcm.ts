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

/** The fields used from Google's service-account file. */
export type ServiceAccount = {
  project_id: string
  client_email: string
  private_key: string
  token_uri?: string
}

export type FcmSettings = {
  account: ServiceAccount
  clock: Clock
  /** FCM's base URL; overridden in tests. */
  address?: string
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
const TOKEN_LIFE_S = 3600
const RENEW_AFTER_S = 3000
const TTL_S = 24 * 60 * 60

/** Sends to Android, and to iOS apps that registered with Firebase, through FCM's HTTP v1 API. */
export function createFcm({
  account,
  clock,
  address = 'https://fcm.googleapis.com',
}: FcmSettings): Channel {
  const access = keepToken(RENEW_AFTER_S, clock.now, () => fetchAccessToken(account, clock))
  const url = `${address}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`

  async function send(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    let token: string
    try {
      token = await access.get()
    } catch (error) {
      // Getting the access token failed, so nothing has been sent to FCM.
      return { outcome: 'retry', reason: `no access token: ${String(error)}`.slice(0, 300) }
    }
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message: messageOf(delivery) }),
        signal,
      })
      const text = await response.text()
      if (response.status === 401) access.drop()
      return outcomeOf(response, text, clock)
    } catch (error) {
      return outcomeOfFailure(error)
    }
  }
  return { name: 'fcm', send }
}

async function fetchAccessToken(account: ServiceAccount, clock: Clock): Promise<string> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey(
    'pkcs8',
    fromPem(account.private_key),
    algorithm,
    false,
    ['sign'],
  )
  const audience = account.token_uri ?? TOKEN_URI
  const iat = Math.floor(clock.now() / 1000)
  const claims = {
    iss: account.client_email,
    scope: SCOPE,
    aud: audience,
    iat,
    exp: iat + TOKEN_LIFE_S,
  }
  const response = await fetch(audience, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await signToken('RS256', key, claims),
    }),
    signal: AbortSignal.timeout(10_000),
  })
  const body = (await response.json()) as { access_token?: string; error?: string }
  if (!response.ok || !body.access_token)
    throw new Error(`${response.status} ${body.error ?? ''}`.trim())
  return body.access_token
}

function messageOf(delivery: Delivery) {
  const { token, badge, collapse_key, is_pressing, kind } = delivery
  return {
    token,
    notification: { title: shorten(delivery.title, 100), body: shorten(delivery.body) },
    data: { ...dataOf(delivery), badge: String(badge) },
    android: {
      collapse_key,
      priority: 'HIGH',
      ttl: `${TTL_S}s`,
      notification: {
        tag: collapse_key,
        channel_id: kind === 'notice' ? 'notices' : 'chat',
        notification_count: badge,
      },
    },
    apns: {
      headers: { 'apns-collapse-id': collapse_key, 'apns-priority': '10' },
      payload: {
        aps: {
          badge,
          sound: 'default',
          'thread-id': collapse_key,
          ...(is_pressing ? { 'interruption-level': 'time-sensitive' } : {}),
        },
      },
    },
  }
}

function outcomeOf(response: Response, text: string, clock: Clock): Outcome {
  const { status } = response
  // The access token was revoked early; the next attempt gets a new one.
  if (status === 401) return { outcome: 'retry', reason: '401 the access token was refused' }
  const known = outcomeOfStatus(
    status,
    response.headers.get('retry-after'),
    clock.now(),
    errorCode(text),
  )
  if (known) return known
  const code = errorCode(text)
  const reason = `${status} ${code}`.trim()
  const isGone =
    code === 'UNREGISTERED' || code === 'SENDER_ID_MISMATCH' || isInvalidToken(status, text)
  return { outcome: isGone ? 'gone' : 'failed', reason }
}

type FcmError = {
  error?: {
    status?: string
    details?: { errorCode?: string; fieldViolations?: { field?: string }[] }[]
  }
}

function errorCode(text: string): string {
  const { error } = parse(text)
  return error?.details?.find(({ errorCode }) => errorCode)?.errorCode ?? error?.status ?? ''
}

// INVALID_ARGUMENT is as often our own mistake, which must not unregister a device.
function isInvalidToken(status: number, text: string): boolean {
  const violations = parse(text).error?.details?.flatMap((each) => each.fieldViolations ?? []) ?? []
  return status === 400 && violations.some(({ field }) => field === 'message.token')
}

function parse(text: string): FcmError {
  try {
    return JSON.parse(text) as FcmError
  } catch {
    return {}
  }
}
