// Finished answers stay in memory until their clients have read them, so a client that never reads could use it all up.
import type { ServerResponse } from 'node:http'
import type { Context } from '#http/context.ts'
import { addressGroup } from '#http/client-address.ts'
import { ServiceError } from '#http/service-error.ts'
import { LIMITS } from './limits.ts'

export type UnreadAnswers = {
  /**
   * Counts an answer until its client has read it or is gone.
   * @throws ServiceError 429 when too much is unread already
   */
  add(answer: ServerResponse, bytes: number, context: Context): void
}

export function createUnreadAnswers(): UnreadAnswers {
  const byCaller = new Map<string, number>()
  let total = 0

  function change(key: string, bytes: number) {
    total += bytes
    const left = (byCaller.get(key) ?? 0) + bytes
    if (left > 0) byCaller.set(key, left)
    else byCaller.delete(key)
  }

  return {
    add(answer, bytes, { caller, clientAddress, signal }) {
      // Nobody waits for it any more, and its answer has emitted `close` already.
      if (bytes === 0 || signal.aborted) return
      const key = caller.claims.sub ?? addressGroup(clientAddress)
      const own = (byCaller.get(key) ?? 0) + bytes
      // Servers share one key, and members must not starve each other.
      const isOverShare = caller.role !== 'service_role' && own > LIMITS.unreadBytesPerCaller
      if (isOverShare || total + bytes > LIMITS.unreadBytes) {
        throw new ServiceError({
          status: 429,
          code: 'too_many_unread_answers',
          message:
            'Too many answers have not been read yet. Read them, or close their connections.',
        })
      }
      change(key, bytes)
      answer.once('close', () => change(key, -bytes))
    },
  }
}
