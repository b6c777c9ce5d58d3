// Finished answers stay in memory until their clients have read them, so a client that never reads could use it all up.
import type { ServerResponse } from 'node:http'
import type { Context } from '#http/context.ts'
import { addressGroup } from '#http/client-address.ts'
import { ServiceError } from '#http/service-error.ts'
import { shareOf } from '#postgres/caller-share.ts'
import { ByteBudget } from './byte-budget.ts'
import { LIMITS } from './limits.ts'

export type UnreadAnswers = {
  /**
   * Counts an answer until its client has read it or is gone.
   * @throws ServiceError 429 when too much is unread already
   */
  add(answer: ServerResponse, bytes: number, context: Context): void
}

export function createUnreadAnswers(): UnreadAnswers {
  const budget = new ByteBudget({
    perCaller: LIMITS.unreadBytesPerCaller,
    total: LIMITS.unreadBytes,
  })

  return {
    add(answer, bytes, { caller, clientAddress, signal }) {
      // Nobody waits for it any more, and its answer has emitted `close` already.
      if (bytes === 0 || signal.aborted) return
      const key = shareOf(caller, addressGroup(clientAddress))
      // Members must not starve each other.
      if (!budget.hasRoom(key, bytes, caller.role !== 'service_role')) {
        throw new ServiceError({
          status: 429,
          code: 'too_many_unread_answers',
          message:
            'Too many answers have not been read yet. Read them, or close their connections.',
        })
      }
      budget.add(key, bytes)
      answer.once('close', () => budget.add(key, -bytes))
    },
  }
}
