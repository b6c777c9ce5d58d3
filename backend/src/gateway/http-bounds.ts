// Limits on the time and memory of a connection before a service sees its request.
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import type { Server } from 'node:http'
import { LIMITS } from './limits.ts'

/** How often Node checks for connections past their timeouts. */
const CHECK_EVERY_MS = 5_000

export const httpBounds = {
  connectionTimeout: LIMITS.silenceMs,
  requestTimeout: LIMITS.uploadMs,
  keepAliveTimeout: LIMITS.keepAliveMs,
  http: {
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  },
} satisfies FastifyHttpOptions<Server>

/** Closes the connection of a request whose body is not complete after `milliseconds`. */
export function limitBodyTime(scope: FastifyInstance, milliseconds: number = LIMITS.bodyMs): void {
  scope.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers['content-length'] || raw.headers['transfer-encoding']) {
      const timer = setTimeout(() => raw.destroy(), milliseconds).unref()
      raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
