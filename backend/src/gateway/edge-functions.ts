// Runs the project's Edge Functions in this process, at /functions/v1/{name} as on hosted Supabase.
import type { FastifyInstance } from 'fastify'
import type { Handler } from '#http/context.ts'
import { requireSimpleJson, type JsonTooComplex } from '#http/parse-json.ts'
import { ServiceError } from '#http/service-error.ts'

/** Calls one of the services without the network. */
export type InProcessFetch = (request: Request) => Promise<Response>
export type EdgeFunction = (request: Request, fetch: InProcessFetch) => Promise<Response>
export type EdgeFunctions = Readonly<Record<string, EdgeFunction>>

const NAME = /^\/functions\/v1\/([\w-]+)/

export function handleFunctions(functions: EdgeFunctions, fetch: InProcessFetch): Handler {
  return async (request) => {
    const name = NAME.exec(new URL(request.url).pathname)?.[1] ?? ''
    const found = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!found) throw refusal(404, 'NOT_FOUND', 'Requested function was not found')
    if (!request.body) return found(request, fetch)
    const body = await request.text()
    requireSimple(body)
    return found(new Request(request, { method: request.method, body }), fetch)
  }
}

/** The functions parse it. @throws ServiceError 400 */
function requireSimple(body: string) {
  try {
    requireSimpleJson(body)
  } catch (error) {
    throw refusal(400, 'BAD_REQUEST', (error as JsonTooComplex).message)
  }
}

const refusal = (status: number, code: string, message: string) =>
  new ServiceError({ status, code, message })

export async function fetchInProcess(app: FastifyInstance, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const response = await app.inject({
    method: request.method as 'GET',
    url: pathname + search,
    headers: Object.fromEntries(request.headers),
    payload: Buffer.from(await request.arrayBuffer()),
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value))
  const hasBody = response.statusCode !== 204 && response.statusCode !== 304
  return new Response(hasBody ? response.rawPayload : null, {
    status: response.statusCode,
    headers,
  })
}
