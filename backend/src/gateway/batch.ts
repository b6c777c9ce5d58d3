// `POST /batch/v1`: several requests to the Data API in one, so that a phone with a slow connection waits once. Each part
// is handled like a request of its own: its own transaction, the caller's own rights, its own response.
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as v from 'valibot'
import { boundedList, boundedRecord, FIRST_ISSUE } from '#http/bounded.ts'
import { addressGroup } from '#http/client-address.ts'
import type { Context, Handler } from '#http/context.ts'
import { parseJson } from '#http/parse-json.ts'
import { ServiceError } from '#http/service-error.ts'
import { textResponse } from '#http/text-response.ts'
import { shareOf } from '#postgres/caller-share.ts'
import { DatabaseBusyError, ResponseTooLargeError } from '#postgres/errors.ts'
import { errorResponse } from './error-response.ts'
import { LIMITS } from './limits.ts'
import { logFailure } from './log-failure.ts'

const PATH = '/batch/v1'
/** Headers that a part may set. All others, including credentials, come from the batch request. */
const HEADERS = [
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'prefer',
  'range',
  'range-unit',
] as const

/** Beside those above, a client names some of its own. */
const MOST_HEADERS = 50
/** What a client could send as a header: printable ASCII. */
const headerValueSchema = v.pipe(v.string(), v.regex(/^[\t\x20-\x7e]*$/))
const requestSchema = v.object({
  method: v.picklist(['GET', 'HEAD', 'POST']),
  path: v.pipe(v.string(), v.regex(/^\/rest\/v1\//)),
  headers: v.optional(boundedRecord(headerValueSchema, MOST_HEADERS), {}),
  body: v.optional(v.string()),
})
const partSchema = v.pipe(
  requestSchema,
  v.check((part) => headBytes(part) <= LIMITS.headerBytes, 'too large'),
)
const batchSchema = boundedList(partSchema, 1, LIMITS.batchParts)

type Part = v.InferOutput<typeof partSchema>
type PartResponse = { status: number; headers: Record<string, string>; body: string }

export function createBatch(handleRest: Handler): Handler {
  const pending = new Map<string, number>()

  return async function handle(request, context) {
    const parts = await readParts(request)
    const caller = shareOf(context.caller, addressGroup(context.clientAddress))
    const before = pending.get(caller) ?? 0
    if (before + parts.length > LIMITS.batchPartsPerCaller)
      throw new DatabaseBusyError('too many parts of batches are pending')
    pending.set(caller, before + parts.length)
    try {
      return await respond(parts, request, context)
    } finally {
      const left = (pending.get(caller) ?? 0) - parts.length
      if (left > 0) pending.set(caller, left)
      else pending.delete(caller)
    }
  }

  async function respond(parts: Part[], request: Request, context: Context): Promise<Response> {
    let bytes = 0
    const limited = async (part: Part) => {
      const response = await partResponse(part, request, context, handleRest)
      bytes += Buffer.byteLength(response.body)
      return bytes <= LIMITS.batchResponseBytes
        ? response
        : asPartResponse(errorResponse('rest', new ResponseTooLargeError(), {}))
    }
    const asked: Promise<PartResponse>[] = []
    for (const part of parts) {
      asked.push(limited(part))
      // Parsing all in one turn would hold up everybody else for twenty.
      await nextTurn()
    }
    const responses = await Promise.all(asked)
    return textResponse(JSON.stringify(responses), {
      // Metrics count failures by the status of the response.
      status: responses.find(({ status }) => status >= 500)?.status ?? 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
  }
}

async function readParts(request: Request): Promise<Part[]> {
  const isHere = request.method === 'POST' && new URL(request.url).pathname === PATH
  const body: unknown = isHere ? await bodyOf(request) : undefined
  const parsed = v.safeParse(batchSchema, body, FIRST_ISSUE)
  if (parsed.success) return parsed.output
  throw new ServiceError({
    status: 400,
    code: 'bad_request',
    message: `A batch is a POST with a list of 1 to ${LIMITS.batchParts} requests to /rest/v1/`,
  })
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text()
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The same as of a request that comes alone: its address and headers. */
function headBytes({ path, headers }: v.InferOutput<typeof requestSchema>): number {
  return Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    path.length,
  )
}

async function partResponse(
  { method, path, headers, body }: Part,
  carrier: Request,
  context: Context,
  handleRest: Handler,
): Promise<PartResponse> {
  const started = performance.now()
  let response: Response
  try {
    const own = new Headers(carrier.headers)
    for (const name of HEADERS) own.delete(name)
    for (const name of HEADERS) if (headers[name]) own.set(name, headers[name])
    const sent = method === 'POST' ? (body ?? '') : null
    const request = new Request(context.origin + path, { method, headers: own, body: sent })
    response = await handleRest(request, context)
  } catch (error) {
    if (!context.signal.aborted) logFailure(context.log, error)
    response = errorResponse('rest', error, {})
  }
  const { status } = response
  const ms = Math.round(performance.now() - started)
  context.log.info({ method, path: path.split('?', 1)[0], status, ms }, 'part of a batch')
  return asPartResponse(response)
}

async function asPartResponse(response: Response): Promise<PartResponse> {
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}
