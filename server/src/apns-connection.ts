import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { ApnsRequest, ApnsResponse, ApnsSender } from 'supabase-project/functions/push/apns.ts'

export const APNS_ADDRESS = 'https://api.push.apple.com'
export const APNS_SANDBOX_ADDRESS = 'https://api.sandbox.push.apple.com'

/** A connection idle for this long is pinged before use. */
const IDLE_MS = 30_000
const PING_MS = 3_000

/** Keeps one connection open: Apple treats a connection per notification as a denial-of-service attack. */
export function createApnsConnection(
  address: string,
  { idleMs = IDLE_MS, pingMs = PING_MS } = {},
): { send: ApnsSender; close(): void } {
  let session: ClientHttp2Session | null = null
  let lastUsed = 0

  function open(): ClientHttp2Session {
    if (session && !session.closed && !session.destroyed) return session
    const opened = (session = connect(address))
    const discard = () => {
      if (session === opened) session = null
    }
    // Each stream reports the lost connection itself.
    opened.on('error', discard)
    opened.on('close', discard)
    opened.on('goaway', discard)
    opened.unref()
    return opened
  }

  // A firewall may have dropped an idle connection silently; anything sent on it would count as uncertain.
  async function openVerified(signal: AbortSignal): Promise<ClientHttp2Session> {
    const used = open()
    await connected(used, signal)
    if (lastUsed === 0 || performance.now() - lastUsed < idleMs) return used
    if (await respondsToPing(used, pingMs)) return used
    if (session === used) session = null
    used.destroy()
    const fresh = open()
    await connected(fresh, signal)
    return fresh
  }

  return {
    async send(request, signal) {
      const used = await openVerified(signal)
      lastUsed = performance.now()
      const head = { ':method': 'POST', ':path': request.path, ...request.headers }
      return exchange(used.request(head), request, signal)
    },
    close: () => session?.destroy(),
  }
}

function respondsToPing(session: ClientHttp2Session, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds)
    const finish = (isAlive: boolean) => {
      clearTimeout(timer)
      resolve(isAlive)
    }
    session.once('close', () => finish(false))
    try {
      session.ping((error) => finish(error === null))
    } catch {
      finish(false)
    }
  })
}

// Nothing has been sent before the connection is up, so a failure here is safe to retry.
function connected(session: ClientHttp2Session, signal: AbortSignal): Promise<void> {
  if (!session.connecting) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const finish = (error?: unknown) => {
      session.off('connect', onConnect)
      session.off('error', finish)
      session.off('close', onClose)
      signal.removeEventListener('abort', onAbort)
      if (error) reject(notSent(error))
      else resolve()
    }
    const onConnect = () => finish()
    const onClose = () => finish(new Error('the connection was closed'))
    const onAbort = () => finish(new Error('no connection in time'))
    session.once('connect', onConnect)
    session.once('error', finish)
    session.once('close', onClose)
    signal.addEventListener('abort', onAbort)
  })
}

function exchange(
  stream: ClientHttp2Stream,
  { body }: ApnsRequest,
  signal: AbortSignal,
): Promise<ApnsResponse> {
  return new Promise((resolve, reject) => {
    const response: ApnsResponse = { status: 0, retryAfter: null, body: '' }
    const onAbort = () => {
      stream.close(constants.NGHTTP2_CANCEL)
      reject(new DOMException('no response in time', 'TimeoutError'))
    }
    signal.addEventListener('abort', onAbort)
    stream.setEncoding('utf8')
    stream.on('response', (headers) => {
      response.status = Number(headers[':status'])
      const retryAfter = headers['retry-after']
      response.retryAfter = typeof retryAfter === 'string' ? retryAfter : null
    })
    stream.on('data', (text: string) => (response.body += text))
    stream.on('error', (error: Error) => {
      // REFUSED_STREAM guarantees that the request was not processed (RFC 9113, 8.7).
      const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
      reject(refused ? notSent(error) : error)
    })
    stream.on('close', () => {
      signal.removeEventListener('abort', onAbort)
      if (response.status) resolve(response)
      else reject(new Error('the connection was lost before a response'))
    })
    stream.end(body)
  })
}

function notSent(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  return Object.assign(new Error(message), { code: 'ERR_HTTP2_REFUSED' })
}
