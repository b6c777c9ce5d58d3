// The HTTP entry point: routes to a service, identifies the caller, limits the body, formats errors, logs the request.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { AccessTokens } from '#http/access-tokens.ts'
import { anonymousCaller } from '#http/caller.ts'
import type { ClientAddress } from '#http/client-address.ts'
import { ClientSignal } from '#http/client-signal.ts'
import type { Clock } from '#http/clock.ts'
import type { Context } from '#http/context.ts'
import type { InstallationKeys } from '#http/installation-keys.ts'
import { createRefusalPace, type RefusalPace } from '#http/refusal-pace.ts'
import { createSentAllowance, type CountBody } from '#http/sent-allowance.ts'
import { ServiceError } from '#http/service-error.ts'
import { textOf } from '#http/text-response.ts'
import { RequestAbortedError, unavailabilityOf } from '#postgres/errors.ts'
import { createBodyMemory, limitBodyMemory, type BodyMemory } from './body-memory.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { errorResponse } from './error-response.ts'
import { limitBodyTime, httpBounds } from './http-bounds.ts'
import { identifyCaller } from './identify-caller.ts'
import { limitChunks } from './limit-chunks.ts'
import { limitConnections } from './limit-connections.ts'
import { limitPendingRequests } from './limit-pending-requests.ts'
import { logFailure } from './log-failure.ts'
import type { MountedService, ServiceKind } from './services.ts'
import { createUnreadResponses, type UnreadResponses } from './unread-responses.ts'
import { sendResponse, toWebRequest } from './web-request.ts'

export type GatewaySettings = {
  services: MountedService[]
  keys: Pick<InstallationKeys, 'publishableKey' | 'secretKey'>
  tokens: AccessTokens
  clock: Clock
  log: Logger
  /** Public address without a trailing slash. */
  origin: string
  clientAddress: ClientAddress
  isProxy: (address: string) => boolean
}

export function createGateway(settings: GatewaySettings): FastifyInstance {
  const app = fastify({
    forceCloseConnections: true,
    ...httpBounds,
    routerOptions: { maxParamLength: 2000 },
  })
  app.removeAllContentTypeParsers()
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error)
    if (status >= 500) logFailure(settings.log, error)
    return reply
      .code(status)
      .send({ message: status < 500 ? (error as Error).message : 'Internal Server Error' })
  })
  const unreadResponses = createUnreadResponses()
  const bodyMemory = createBodyMemory(settings.clientAddress)
  const shared = { countBody: createSentAllowance(), paceRefusal: createRefusalPace() }
  for (const service of settings.services) {
    mount(app, service, { ...settings, ...shared, unreadResponses, bodyMemory })
  }
  limitConnections(app.server, settings.isProxy)
  limitPendingRequests(app.server)
  limitChunks(app.server)
  return app
}

function statusOf(error: unknown): number {
  return (error as { statusCode?: number }).statusCode ?? (unavailabilityOf(error) ? 503 : 500)
}

type MountSettings = GatewaySettings & {
  unreadResponses: UnreadResponses
  bodyMemory: BodyMemory
  countBody: CountBody
  paceRefusal: RefusalPace
}

function mount(app: FastifyInstance, service: MountedService, settings: MountSettings) {
  void app.register((scope, _options, done) => {
    if (service.streams) {
      scope.addContentTypeParser('*', (_request, payload: Readable, parsed) =>
        parsed(null, payload),
      )
    } else {
      limitBodyTime(scope)
      limitBodyMemory(scope, settings.bodyMemory)
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: service.bodyLimit },
        (_request, body, parsed) => parsed(null, body),
      )
    }
    scope.setErrorHandler((error, request, reply) =>
      rejectEarly(service.kind, error, request, reply, settings),
    )
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      serve(service, request, reply, settings)
    scope.all(service.prefix, handler)
    scope.all(`${service.prefix}/*`, handler)
    done()
  })
}

/** What `limitBodyMemory` does for services that get the whole body. */
const countedAlready = () => undefined

async function serve(
  service: MountedService,
  incoming: FastifyRequest,
  reply: FastifyReply,
  settings: MountSettings,
): Promise<FastifyReply> {
  const path = incoming.raw.url?.split('?', 1)[0] ?? ''
  if (incoming.method === 'OPTIONS') {
    const requested = incoming.headers['access-control-request-headers']
    const headers = { ...preflightHeaders(requested), ...service.optionsHeaders?.(path) }
    return reply.code(200).headers(headers).send()
  }
  const started = performance.now()
  const requestId = randomUUID()
  const log = settings.log.child({ requestId })
  const signal = abortedWithClient(reply)
  reply.headers(corsHeaders).header('sb-request-id', requestId)
  let response: Response
  let context: Context | undefined
  let isPaced = false
  try {
    const request = toWebRequest(incoming, settings.origin)
    const open = service.isOpen?.(path) ?? false
    const caller = await identifyCaller(request, { ...settings, kind: service.kind, open })
    context = {
      requestId,
      caller: caller ?? anonymousCaller,
      clientAddress: settings.clientAddress(incoming.raw),
      signal,
      holdBody: service.streams ? settings.bodyMemory(incoming.raw, reply.raw) : countedAlready,
      origin: settings.origin,
      clock: settings.clock,
      randomId: randomUUID,
      log,
    }
    if (signal.aborted) throw new RequestAbortedError('the client disconnected')
    if (
      context.caller.role === 'anon' &&
      bodyBytes(incoming) > (service.anonymousBodyLimit ?? Infinity)
    )
      throw payloadTooLarge()
    settings.countBody(context.caller, bodyBytes(incoming))
    isPaced = service.pacesRefusals ?? false
    response = await service.handle(request, context)
    settings.unreadResponses.add(reply.raw, Buffer.byteLength(textOf(response) ?? ''), context)
  } catch (error) {
    if (!signal.aborted) logFailure(log, error)
    response = errorResponse(service.kind, error, incoming.headers)
  }
  if (context && !isPaced && isRefusal(response)) await settings.paceRefusal(context)
  // The query string may contain one-time tokens and members' data, so it is not logged.
  log.info(
    {
      method: incoming.method,
      path,
      status: response.status,
      ms: Math.round(performance.now() - started),
    },
    'request',
  )
  await sendResponse(reply, response)
  return reply
}

function isRefusal({ status }: Response): boolean {
  return status >= 400 && status < 500
}

function abortedWithClient(reply: FastifyReply): ClientSignal {
  const signal = new ClientSignal()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) signal.abort()
  })
  return signal
}

// Handles errors from before the handler runs, such as a body over its limit.
function rejectEarly(
  kind: ServiceKind,
  error: unknown,
  incoming: FastifyRequest,
  reply: FastifyReply,
  settings: GatewaySettings,
) {
  const status = (error as { statusCode?: number }).statusCode ?? 500
  const known = status < 500 ? refusalOf(status) : error
  if (status >= 500) logFailure(settings.log, error)
  const response = errorResponse(kind, known, incoming.headers)
  reply.headers(corsHeaders)
  return sendResponse(reply, response).then(() => reply)
}

function refusalOf(status: number): ServiceError {
  return status === 413
    ? payloadTooLarge()
    : new ServiceError({ status, code: 'bad_request', message: 'Bad request' })
}

function payloadTooLarge(): ServiceError {
  return new ServiceError({
    status: 413,
    code: 'payload_too_large',
    message: 'Payload too large',
  })
}

function bodyBytes({ body }: FastifyRequest): number {
  return Buffer.isBuffer(body) ? body.length : 0
}
