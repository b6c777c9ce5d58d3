// The bodies of requests stay in memory until the responses are sent, and arrive before anybody knows who sends them. Many
// connections with a large body each, which need never be complete, could use it all up.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { addressGroup, type ClientAddress } from '#http/client-address.ts'
import { ServiceError } from '#http/service-error.ts'
import { ByteBudget } from './byte-budget.ts'
import { LIMITS } from './limits.ts'

/** Counts a piece of a body with so many bytes. @throws ServiceError 429 when too much is in memory already */
export type HoldBody = (bytes: number) => void

/** What is counted for a request is given back when its response is sent or its client is gone. */
export type BodyMemory = (request: IncomingMessage, response: ServerResponse) => HoldBody

export function createBodyMemory(clientAddress: ClientAddress): BodyMemory {
  const budget = new ByteBudget({ perCaller: LIMITS.bodyBytesPerAddress, total: LIMITS.bodyBytes })

  return (request, response) => {
    const key = addressGroup(clientAddress(request))
    let held = 0
    let isOver = response.destroyed
    response.once('close', () => {
      isOver = true
      budget.add(key, -held)
    })
    return (pieceBytes) => {
      if (isOver) return
      const bytes = pieceBytes + LIMITS.bodyPieceBytes
      if (!budget.hasRoom(key, bytes)) throw tooMuch()
      held += bytes
      budget.add(key, bytes)
    }
  }
}

/** Counts the bodies that this scope reads; a connection is closed when one does not fit any more. */
export function limitBodyMemory(scope: FastifyInstance, memory: BodyMemory): void {
  scope.addHook('preParsing', ({ raw }, reply, payload, done) => {
    if (raw.headers['content-length'] || raw.headers['transfer-encoding']) {
      const hold = memory(raw, reply.raw)
      // The parser listens from the same moment on, so it misses nothing.
      payload.on('data', (chunk: Buffer) => {
        try {
          hold(chunk.length)
        } catch {
          raw.destroy()
        }
      })
    }
    done(null, payload)
  })
}

function tooMuch(): ServiceError {
  return new ServiceError({
    status: 429,
    code: 'too_many_unfinished_requests',
    message: 'Too much is being sent at once. Wait for the responses to earlier requests.',
  })
}
