// What a member may do on a private topic is whatever the policies on realtime.messages say: it is tried and undone.
import type { Caller } from '#http/caller.ts'
import type { Database } from '#postgres/database.ts'
import type { Extension } from './channel.ts'
import { channelErrors } from './errors.ts'

export type Operation = 'read' | 'write'

export type TryRights = (
  caller: Caller,
  topicName: string,
  operation: Operation,
  extensions: readonly Extension[],
) => Promise<ReadonlySet<Extension>>

/** SQLSTATE classes that say the database is not there, as opposed to a policy that fails. */
const UNAVAILABLE = /^(08|53|57)/

export function createTryRights(database: Database): TryRights {
  const service = database.asService('realtime', 'policies are tried in the name of a member')
  return async (caller, topicName, operation, extensions) => {
    try {
      const { rows } = await service.query({
        name: 'realtime_try_rights',
        text: 'select realtime.try_rights($1, $2, $3, $4, $5::text[]) as allowed',
        values: [operation, topicName, caller.role, caller.claimsText, extensions],
      })
      return new Set((rows[0] as { allowed: Extension[] }).allowed)
    } catch (cause) {
      const code = (cause as { code?: string }).code ?? ''
      // A failing policy refuses; only a database that cannot be asked is worth another try by the client.
      if (/^[0-9A-Z]{5}$/.test(code) && !UNAVAILABLE.test(code))
        throw channelErrors.unauthorized(topicName, cause)
      throw channelErrors.databaseUnavailable(cause)
    }
  }
}
