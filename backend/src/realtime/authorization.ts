// Authorizes private topics with the policies on realtime.messages: the read or write is attempted and rolled back.
import type { Caller } from '#http/caller.ts'
import type { Database } from '#postgres/database.ts'
import type { Statement } from '#postgres/statement.ts'
import type { Extension } from './channel.ts'
import { channelErrors } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'
import type { RealtimeLimits } from './limits.ts'

export type Operation = 'read' | 'write'

export type Authorize = (
  caller: Caller,
  topicName: string,
  operation: Operation,
  extensions: readonly Extension[],
) => Promise<ReadonlySet<Extension>>

/** The topics that the caller may broadcast to. */
export type FindWritableTopics = (
  caller: Caller,
  topicNames: readonly string[],
) => Promise<ReadonlySet<string>>

/** SQLSTATE classes of an unavailable database, as opposed to a failing policy. */
const UNAVAILABLE = /^(08|53|57)/
/** One less than the service's database connections: reading messages never waits for authorization. */
const MAX_CONCURRENT_CHECKS = 3

/** Both throw ChannelError: `Unauthorized` when a policy fails, `UnableToConnectToProject` when the database is unavailable. */
export function createAuthorization(
  database: Database,
  limits: RealtimeLimits,
): { authorize: Authorize; findWritableTopics: FindWritableTopics } {
  const service = database.asService('realtime', 'evaluates policies as a member')
  const queue = createFairQueue({
    concurrency: MAX_CONCURRENT_CHECKS,
    queuedPerCaller: limits.checksQueuedPerCaller,
  })

  async function check<Granted>(caller: Caller, topicName: string, statement: Statement) {
    try {
      const { rows } = await queue.run(caller.claims.sub ?? caller.role, () =>
        service.query(statement),
      )
      return new Set((rows[0] as { allowed: Granted[] }).allowed)
    } catch (cause) {
      const code = (cause as { code?: string }).code ?? ''
      // A failing policy denies; only an unavailable database is worth a retry by the client.
      if (/^[0-9A-Z]{5}$/.test(code) && !UNAVAILABLE.test(code))
        throw channelErrors.unauthorized(topicName, cause)
      throw channelErrors.databaseUnavailable(cause)
    }
  }

  return {
    authorize: (caller, topicName, operation, extensions) =>
      check<Extension>(caller, topicName, {
        name: 'realtime_try_rights',
        text: 'select realtime.try_rights($1, $2, $3, $4, $5::text[]) as allowed',
        values: [operation, topicName, caller.role, caller.claimsText, extensions],
      }),
    findWritableTopics: (caller, topicNames) =>
      check<string>(caller, topicNames[0] ?? '', {
        name: 'realtime_writable_topics',
        text: 'select realtime.writable_topics($1::text[], $2, $3) as allowed',
        values: [topicNames, caller.role, caller.claimsText],
      }),
  }
}
