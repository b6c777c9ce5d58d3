// Links that people wrote: asks a site whether one still leads somewhere, or for its page. This must never become a way to look
// into the server's own network: every host is resolved first, of every redirect too, and the connection goes to the addresses
// that were checked.
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { PAGE_BYTES, type Fetched } from 'supabase-project/functions/preview/read-page.ts'
import { isPublicAddress } from './public-addresses.ts'

/** A result for the database's `report_links`. `problem` is an HTTP status, or what failed before there was one. */
export type LinkResult = {
  url: string
  outcome: 'works' | 'gone' | 'failed' | 'skipped'
  problem?: string
}

/** The network as seen from here. */
export type Network = {
  resolve(host: string): Promise<LookupAddress[]>
  isAllowed(address: string, port: number): boolean
  timeoutMs: number
  userAgent: string
  /** Ends what is under way when the server stops. */
  signal?: AbortSignal
}

const TIMEOUT_MS = 10_000
const MOST_REDIRECTS = 5
const WEB_PORTS = [80, 443, 8080, 8443]
const REDIRECTS = [301, 302, 303, 307, 308]
/** Codes of a site that says there is nothing here. */
const GONE = [404, 410]

export function publicNetwork(userAgent: string, signal?: AbortSignal): Network {
  return {
    ...(signal ? { signal } : {}),
    resolve: (host) => lookup(host, { all: true }),
    isAllowed: (address, port) => WEB_PORTS.includes(port) && isPublicAddress(address),
    timeoutMs: TIMEOUT_MS,
    userAgent,
  }
}

/** The address is not one that this server may fetch. */
class NotPublic extends Error {}
class TooManyRedirects extends Error {}

/** Asks for the head only, and for the page if that is refused: some sites do not respond to HEAD. */
export async function fetchLink(url: string, network: Network): Promise<LinkResult> {
  try {
    const status = await statusOf(url, 'HEAD', network).catch((error: unknown) => {
      if (problemOf(error) !== 'connection') throw error
      return 400
    })
    return { url, ...verdict(status < 400 ? status : await statusOf(url, 'GET', network)) }
  } catch (error) {
    if (error instanceof NotPublic) return { url, outcome: 'skipped' }
    return { url, outcome: 'failed', problem: problemOf(error) }
  }
}

/** A site that refuses strangers (401, 403, 429) is there. */
function verdict(status: number): Pick<LinkResult, 'outcome' | 'problem'> {
  if (GONE.includes(status)) return { outcome: 'gone', problem: String(status) }
  if (status >= 500 && status < 600) return { outcome: 'failed', problem: String(status) }
  return { outcome: 'works' }
}

function problemOf(error: unknown): string {
  if (error instanceof TooManyRedirects) return 'redirects'
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT') return 'time'
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'host'
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return 'certificate'
  return 'connection'
}

/** The beginning of the page at the end of all redirects. @throws if the site has none to give, or is not public */
export async function fetchPage(url: string, network: Network): Promise<Fetched> {
  const { target, response } = await follow(url, 'GET', network)
  const chunks: Buffer[] = []
  let length = 0
  try {
    if (response.statusCode !== 200)
      throw new Error(`The site responded with ${response.statusCode}`)
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= PAGE_BYTES) break
    }
  } finally {
    response.destroy()
  }
  const type = response.headers['content-type'] ?? ''
  return { url: target.href, type, bytes: Buffer.concat(chunks).subarray(0, PAGE_BYTES) }
}

/** The status at the end of all redirects. */
async function statusOf(url: string, method: string, network: Network): Promise<number> {
  const { response } = await follow(url, method, network)
  // The status is all that counts; the page may be endless.
  response.destroy()
  return response.statusCode ?? 0
}

type Followed = { target: URL; response: IncomingMessage }

async function follow(url: string, method: string, network: Network): Promise<Followed> {
  const timeout = AbortSignal.timeout(network.timeoutMs)
  const signal = network.signal ? AbortSignal.any([timeout, network.signal]) : timeout
  let target = new URL(url)
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await ask(target, method, network, signal)
    const { statusCode = 0, headers } = response
    const isRedirect = REDIRECTS.includes(statusCode) && headers.location
    if (!isRedirect || !URL.canParse(headers.location ?? '', target.href))
      return { target, response }
    response.destroy()
    target = new URL(headers.location ?? '', target)
  }
  throw new TooManyRedirects()
}

async function ask(
  target: URL,
  method: string,
  network: Network,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = target.protocol === 'https:'
  if (!isSecure && target.protocol !== 'http:') throw new NotPublic()
  if (target.username || target.password) throw new NotPublic()
  const port = Number(target.port) || (isSecure ? 443 : 80)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const addresses = await beforeAbort(() => network.resolve(host), signal)
  if (!addresses.every(({ address }) => network.isAllowed(address, port))) throw new NotPublic()
  const options: RequestOptions = {
    method,
    signal,
    // No connection is kept, and none is shared with anything else.
    agent: false,
    lookup: (_host, { all }, found) => {
      const [first] = addresses
      if (all) found(null, addresses)
      else found(null, first?.address ?? '', first?.family)
    },
    headers: { 'user-agent': network.userAgent, accept: '*/*' },
  }
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(target, options, resolve)
    request.on('error', reject)
    request.end()
  })
}

/** A lookup cannot be stopped, only no longer be waited for. After the abort none is started. */
async function beforeAbort<Value>(
  start: () => Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    start()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
