// Converts between Fastify and the web-standard Request and Response that the services use.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '#http/service-error.ts'
import { textOf } from '#http/text-response.ts'

const BODILESS = new Set(['GET', 'HEAD'])

/**
 * @param origin the service's public URL; the Host header is not trusted
 * @throws ServiceError for a method or address that a Request cannot have
 */
export function toWebRequest(incoming: FastifyRequest, origin: string): Request {
  const headers = new Headers()
  const raw = incoming.raw.rawHeaders
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? ''
    if (!name.startsWith(':')) headers.append(name, raw[index + 1] ?? '')
  }
  const body = BODILESS.has(incoming.method) ? null : bodyOf(incoming)
  const { url = '' } = incoming.raw
  if (incoming.method === 'TRACE') throw invalid(405, 'method_not_allowed', 'Method not allowed')
  // The router also takes `http://host/path`, as sent to forward proxies.
  if (!url.startsWith('/')) throw invalid(400, 'bad_request', 'Bad request')
  try {
    return new Request(origin + url, {
      method: incoming.method,
      headers,
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
    })
  } catch {
    throw invalid(400, 'bad_request', 'Bad request')
  }
}

function invalid(status: number, code: string, message: string): ServiceError {
  return new ServiceError({ status, code, message })
}

function bodyOf({ body }: FastifyRequest): Buffer | ReadableStream | null {
  if (body instanceof Readable) return Readable.toWeb(body) as ReadableStream
  return Buffer.isBuffer(body) ? body : null
}

export async function sendResponse(reply: FastifyReply, response: Response): Promise<void> {
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  const text = textOf(response)
  if (text !== undefined) return void reply.send(text)
  if (!response.body) return void reply.send()
  const length = response.headers.get('content-length')
  const isStream = response.headers.has('x-accel-buffering') || Number(length ?? 0) > 65_536
  if (isStream) return void reply.send(Readable.fromWeb(response.body))
  reply.send(Buffer.from(await response.arrayBuffer()))
}
