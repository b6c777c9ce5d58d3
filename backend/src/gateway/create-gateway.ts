// The one door: finds the service, knows the caller, limits the body, shapes the error, writes the log line.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { AccessTokens } from '#http/access-tokens.ts'
import { anonymousCaller } from '#http/caller.ts'
import type { Clock } from '#http/clock.ts'
import type { Context } from '#http/context.ts'
import type { InstallationKeys } from '#http/installation-keys.ts'
import { ServiceError } from '#http/service-error.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { errorReply } from './error-reply.ts'
import { identifyCaller } from './identify-caller.ts'
import type { MountedService, ServiceKind } from './services.ts'
import { sendResponse, toWebRequest } from './web-request.ts'

export type GatewaySettings = {
  services: MountedService[]
  keys: Pick<InstallationKeys, 'publishableKey' | 'secretKey'>
  tokens: AccessTokens
  clock: Clock
  log: Logger
  /** Public address without a trailing slash. */
  origin: string
  /** Believes X-Forwarded-For; only behind a proxy that sets it. */
  trustProxy?: boolean
}

export function createGateway(settings: GatewaySettings): FastifyInstance {
  const app = fastify({
    trustProxy: settings.trustProxy ?? false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 2000 },
  })
  app.removeAllContentTypeParsers()
  app.setErrorHandler((error, request, reply) => {
    settings.log.error({ err: error, method: request.method }, 'request failed')
    const status = (error as { statusCode?: number }).statusCode ?? 500
    return reply
      .code(status)
      .send({ message: status < 500 ? (error as Error).message : 'Internal Server Error' })
  })
  for (const service of settings.services) mount(app, service, settings)
  return app
}

function mount(app: FastifyInstance, service: MountedService, settings: GatewaySettings) {
  void app.register((scope, _options, done) => {
    if (service.streams) {
      scope.addContentTypeParser('*', (_request, payload: Readable, parsed) =>
        parsed(null, payload),
      )
    } else {
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: service.bodyLimit },
        (_request, body, parsed) => parsed(null, body),
      )
    }
    scope.setErrorHandler((error, request, reply) =>
      refuse(service.kind, error, request, reply, settings),
    )
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      serve(service, request, reply, settings)
    scope.all(service.prefix, handler)
    scope.all(`${service.prefix}/*`, handler)
    done()
  })
}

async function serve(
  service: MountedService,
  incoming: FastifyRequest,
  reply: FastifyReply,
  settings: GatewaySettings,
): Promise<FastifyReply> {
  if (incoming.method === 'OPTIONS') {
    const asked = incoming.headers['access-control-request-headers']
    return reply.code(200).headers(preflightHeaders(asked)).send()
  }
  const started = performance.now()
  const request = toWebRequest(incoming, settings.origin)
  const path = incoming.raw.url?.split('?', 1)[0] ?? ''
  const requestId = randomUUID()
  const log = settings.log.child({ requestId })
  reply.headers(corsHeaders).header('sb-request-id', requestId)
  let response: Response
  try {
    const open = service.isOpen?.(path) ?? false
    const caller = await identifyCaller(request, { ...settings, kind: service.kind, open })
    const context: Context = {
      requestId,
      caller: caller ?? anonymousCaller,
      clientAddress: incoming.ip,
      origin: settings.origin,
      clock: settings.clock,
      randomId: randomUUID,
      log,
    }
    response = await service.handle(request, context)
  } catch (error) {
    logFailure(log, error)
    response = errorReply(service.kind, error, request)
  }
  // The query may hold one-time tokens and members' words: it stays out of the log.
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

function logFailure(log: Logger, error: unknown) {
  if (!(error instanceof ServiceError)) log.error({ err: error }, 'unexpected failure')
  else if (error.cause) log.debug({ err: error }, 'refused')
}

// What fails before a handler runs, such as a body over its limit.
function refuse(
  kind: ServiceKind,
  error: unknown,
  incoming: FastifyRequest,
  reply: FastifyReply,
  settings: GatewaySettings,
) {
  const status = (error as { statusCode?: number }).statusCode ?? 500
  const known =
    status < 500
      ? new ServiceError({
          status,
          code: status === 413 ? 'payload_too_large' : 'bad_request',
          message: status === 413 ? 'Payload too large' : 'Bad request',
        })
      : error
  if (status >= 500) settings.log.error({ err: error }, 'unexpected failure')
  const response = errorReply(kind, known, new Request(settings.origin + incoming.raw.url))
  reply.headers(corsHeaders)
  return sendResponse(reply, response).then(() => reply)
}
