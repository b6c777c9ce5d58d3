import { earlyResponse } from './early-batch.ts'

/** What the server takes at most. */
const MOST_PARTS = 20
/** A body beyond this is no question, and would delay the others. */
const MOST_BODY = 2_000
const BODILESS = [204, 205, 304]

type Part = {
  url: URL
  init: RequestInit & { headers: Headers }
  resolve: (response: Response) => void
  reject: (failure: unknown) => void
}
type PartResponse = { status: number; headers: Record<string, string>; body: string }

let waiting: Part[] = []

/**
 * Sends what is asked of the Data API within one turn of the event loop as one request, because on a slow connection each costs
 * a round trip. Each gets a response as if it had been sent alone.
 */
export function fetchTogether(url: URL, init: Part['init']): Promise<Response> {
  if (!fits(url, init)) return fetch(url, init)
  return new Promise((resolve, reject) => {
    const leave = () => reject(new DOMException('Nobody waits for it', 'AbortError'))
    if (init.signal?.aborted) return leave()
    init.signal?.addEventListener('abort', leave)
    const [first = { init }] = waiting
    const isSameCaller = callerOf(first) === callerOf({ init })
    if (!isSameCaller || waiting.length === MOST_PARTS) sendWaiting()
    waiting.push({ url, init, resolve, reject })
    if (waiting.length === 1) setTimeout(sendWaiting)
  })
}

/** Reads and calls; a row that is written waits for nobody, and nobody for it. */
function fits({ pathname }: URL, { method = 'GET', body }: RequestInit): boolean {
  if (!pathname.startsWith('/rest/v1/')) return false
  if (method === 'GET' || method === 'HEAD') return true
  const isCall = method === 'POST' && pathname.startsWith('/rest/v1/rpc/')
  return isCall && (body == null || (typeof body === 'string' && body.length <= MOST_BODY))
}

const callerOf = ({ init }: Pick<Part, 'init'>) => init.headers.get('authorization')

function sendWaiting() {
  const parts = waiting.filter(({ init }) => !init.signal?.aborted)
  waiting = []
  const [first, ...others] = parts
  if (!first) return
  const sent =
    others.length > 0
      ? sendBatch(first, parts)
      : fetch(first.url, first.init).then((response) => [response])
  sent.then(
    (responses) => parts.forEach(({ resolve }, place) => resolve(responses[place]!)),
    (failure: unknown) => parts.forEach(({ reject }) => reject(failure)),
  )
}

async function sendBatch(first: Part, parts: Part[]): Promise<Response[]> {
  const { href: url } = new URL('/batch/v1', first.url)
  const { apikey, authorization } = Object.fromEntries(first.init.headers)
  const headers = {
    apikey: apikey ?? '',
    authorization: authorization ?? '',
    'content-type': 'application/json',
  }
  const body = JSON.stringify(parts.map(asPart))
  const early = await earlyResponse({ url, headers, body }, parts)
  const response = early ?? (await fetch(url, { method: 'POST', headers, body }))
  const text = await response.text()
  const responses = responsesIn(text)
  // No part got a response: the token is refused, or what is in front of the server responded instead.
  if (!responses) return parts.map(() => new Response(text, response))
  return responses.map(
    ({ status, headers, body }) =>
      new Response(BODILESS.includes(status) ? null : body, { status, headers }),
  )
}

function asPart({ url, init }: Part) {
  const headers = Object.fromEntries(init.headers)
  // The batch's own headers apply.
  delete headers.apikey
  delete headers.authorization
  return {
    method: init.method ?? 'GET',
    path: url.pathname + url.search,
    headers,
    body: init.body ?? undefined,
  }
}

function responsesIn(text: string): PartResponse[] | null {
  try {
    const body: unknown = JSON.parse(text)
    return Array.isArray(body) ? (body as PartResponse[]) : null
  } catch {
    return null
  }
}
