import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { ApnsAnswer, ApnsRequest, ApnsSender } from 'supabase-project/functions/push/apns.ts'

export const APNS_ADDRESS = 'https://api.push.apple.com'
export const APNS_SANDBOX_ADDRESS = 'https://api.sandbox.push.apple.com'

/** After this long without traffic a connection is asked whether it is still there. */
const IDLE_MS = 30_000
const PING_MS = 3_000

/** Apple takes senders that connect for every notification for attackers, so one connection stays open. */
export function createApnsConnection(
  address: string,
  { idleMs = IDLE_MS, pingMs = PING_MS } = {},
): { send: ApnsSender; close(): void } {
  let session: ClientHttp2Session | null = null
  let lastUsed = 0

  function open(): ClientHttp2Session {
    if (session && !session.closed && !session.destroyed) return session
    const opened = (session = connect(address))
    const forget = () => {
      if (session === opened) session = null
    }
    // The streams report what the loss of the connection means for each of them.
    opened.on('error', forget)
    opened.on('close', forget)
    opened.on('goaway', forget)
    opened.unref()
    return opened
  }

  // A firewall may have dropped a silent connection without a word; what is sent into it would count as uncertain.
  async function openAlive(signal: AbortSignal): Promise<ClientHttp2Session> {
    const used = open()
    await connected(used, signal)
    if (lastUsed === 0 || performance.now() - lastUsed < idleMs) return used
    if (await answersPing(used, pingMs)) return used
    if (session === used) session = null
    used.destroy()
    const fresh = open()
    await connected(fresh, signal)
    return fresh
  }

  return {
    async send(request, signal) {
      const used = await openAlive(signal)
      lastUsed = performance.now()
      const head = { ':method': 'POST', ':path': request.path, ...request.headers }
      return exchange(used.request(head), request, signal)
    },
    close: () => session?.destroy(),
  }
}

function answersPing(session: ClientHttp2Session, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds)
    const give = (isAlive: boolean) => {
      clearTimeout(timer)
      resolve(isAlive)
    }
    session.once('close', () => give(false))
    try {
      session.ping((error) => give(error === null))
    } catch {
      give(false)
    }
  })
}

// Until it is connected nothing can have been sent, so a failure here may be tried again.
function connected(session: ClientHttp2Session, signal: AbortSignal): Promise<void> {
  if (!session.connecting) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const give = (error?: unknown) => {
      session.off('connect', onConnect)
      session.off('error', give)
      session.off('close', onClose)
      signal.removeEventListener('abort', onAbort)
      if (error) reject(notSent(error))
      else resolve()
    }
    const onConnect = () => give()
    const onClose = () => give(new Error('the connection was closed'))
    const onAbort = () => give(new Error('no connection in time'))
    session.once('connect', onConnect)
    session.once('error', give)
    session.once('close', onClose)
    signal.addEventListener('abort', onAbort)
  })
}

function exchange(
  stream: ClientHttp2Stream,
  { body }: ApnsRequest,
  signal: AbortSignal,
): Promise<ApnsAnswer> {
  return new Promise((resolve, reject) => {
    const answer: ApnsAnswer = { status: 0, retryAfter: null, body: '' }
    const onAbort = () => {
      stream.close(constants.NGHTTP2_CANCEL)
      reject(new DOMException('no answer in time', 'TimeoutError'))
    }
    signal.addEventListener('abort', onAbort)
    stream.setEncoding('utf8')
    stream.on('response', (headers) => {
      answer.status = Number(headers[':status'])
      const retryAfter = headers['retry-after']
      answer.retryAfter = typeof retryAfter === 'string' ? retryAfter : null
    })
    stream.on('data', (text: string) => (answer.body += text))
    stream.on('error', (error: Error) => {
      // The one refusal that promises the request was not looked at (RFC 9113, 8.7).
      const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
      reject(refused ? notSent(error) : error)
    })
    stream.on('close', () => {
      signal.removeEventListener('abort', onAbort)
      if (answer.status) resolve(answer)
      else reject(new Error('the connection was lost before an answer'))
    })
    stream.end(body)
  })
}

function notSent(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  return Object.assign(new Error(message), { code: 'ERR_HTTP2_REFUSED' })
}
