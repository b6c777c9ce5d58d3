// Finished responses stay in memory until their clients have read them, so a client that never reads could use it all up.
import type { ServerResponse } from 'node:http'
import type { Context } from '#http/context.ts'
import { addressGroup } from '#http/client-address.ts'
import { ServiceError } from '#http/service-error.ts'
import { shareOf } from '#postgres/caller-share.ts'
import { ByteBudget } from './byte-budget.ts'
import { LIMITS } from './limits.ts'

export type UnreadResponses = {
  /**
   * Counts a response until its client has read it or is gone.
   * @throws ServiceError 429 when too much is unread already
   */
  add(response: ServerResponse, bytes: number, context: Context): void
}

export function createUnreadResponses(): UnreadResponses {
  const budget = new ByteBudget({
    perCaller: LIMITS.unreadBytesPerCaller,
    total: LIMITS.unreadBytes,
  })

  return {
    add(response, bytes, { caller, clientAddress, signal }) {
      // Nobody waits for it any more, and its response has emitted `close` already.
      if (bytes === 0 || signal.aborted) return
      const key = shareOf(caller, addressGroup(clientAddress))
      // Members must not starve each other.
      if (!budget.hasRoom(key, bytes, caller.role !== 'service_role')) {
        throw new ServiceError({
          status: 429,
          code: 'too_many_unread_responses',
          message:
            'Too many responses have not been read yet. Read them, or close their connections.',
        })
      }
      budget.add(key, bytes)
      response.once('close', () => budget.add(key, -bytes))
    },
  }
}
