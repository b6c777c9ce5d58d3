// The HTTP endpoints of realtime; for the WebSocket see receive-message.ts.
import type { Context } from '#http/context.ts'
import type { Service } from './context.ts'
import { httpErrors } from './errors.ts'
import { sendBatch, sendOne } from '#realtime/broadcast/send-over-http.ts'

const BATCH = '/realtime/v1/api/broadcast'
const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/

/** @throws ServiceError for an unknown route or a rejected request */
export async function handleHttp(service: Service, request: Request, context: Context) {
  const { pathname } = new URL(request.url)
  if (request.method !== 'POST') throw httpErrors.notFound()
  if (pathname === BATCH) return sendBatch(service, request, context)
  const [, topic, event] = SINGLE.exec(pathname) ?? []
  if (!topic || !event) throw httpErrors.notFound()
  return sendOne(service, request, context, {
    topic: decodeURIComponent(topic),
    event: decodeURIComponent(event),
  })
}
