// Authorizes private topics with the policies on realtime.messages: the read or write is attempted and rolled back.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '#http/caller.ts'
import { sessionShareOf, shareOf } from '#postgres/caller-share.ts'
import type { Database } from '#postgres/database.ts'
import type { Statement } from '#postgres/statement.ts'
import type { Extension } from '#realtime/channels/channel.ts'
import { channelErrors, type ChannelError } from '#realtime/errors.ts'
import { createFairQueue } from './fair-queue.ts'
import type { RealtimeLimits } from '#realtime/limits.ts'

export type Operation = 'read' | 'write'

/** @param isWanted whether the result still matters when its turn comes; if not, nothing is granted */
export type Authorize = (
  caller: Caller,
  topicName: string,
  operation: Operation,
  extensions: readonly Extension[],
  isWanted?: () => boolean,
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

/** One turn of the queue: what others wait for at most. */
const MOST_CHECKS_TOGETHER = 10

type ReadCheck = {
  topicName: string
  extensions: readonly Extension[]
  isWanted: () => boolean
  resolve: (allowed: ReadonlySet<Extension>) => void
  reject: (failure: unknown) => void
}

/** Both throw ChannelError: `Unauthorized` when a policy fails, `UnableToConnectToProject` when the database is unavailable. */
export function createAuthorization(
  database: Database,
  limits: RealtimeLimits,
): { authorize: Authorize; findWritableTopics: FindWritableTopics } {
  const service = database.asService('realtime', 'evaluates policies as a member')
  const queue = createFairQueue({
    concurrency: MAX_CONCURRENT_CHECKS,
    queuedPerAccount: limits.checksQueuedPerAccount,
  })

  const gathering = new Map<string, ReadCheck[]>()

  async function query(statement: Statement) {
    const { rows } = await service.query(statement)
    return rows as { allowed: string[] }[]
  }

  function inTurn<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> {
    // What a token of a session that has ended asks for must not keep its owner waiting.
    const asker = { account: shareOf(caller, caller.role), session: sessionShareOf(caller) }
    return queue.run(asker, work)
  }

  async function check<Granted>(caller: Caller, topicName: string, statement: Statement) {
    const rows = await inTurn(caller, () => query(statement)).catch((cause: unknown) => {
      throw refusal(topicName, cause)
    })
    return new Set(rows[0]?.allowed as Granted[])
  }

  /** An app joins its topics at once, so what a caller asks until its turn comes is one query. */
  function authorizeRead(
    caller: Caller,
    { topicName, extensions, isWanted }: Pick<ReadCheck, 'topicName' | 'extensions' | 'isWanted'>,
  ) {
    return new Promise<ReadonlySet<Extension>>((resolve, reject) => {
      const added = { topicName, extensions, isWanted, resolve, reject }
      const key = `${caller.role} ${caller.claimsText}`
      const open = gathering.get(key)
      if (open && open.length < MOST_CHECKS_TOGETHER) return void open.push(added)
      const checks = [added]
      gathering.set(key, checks)
      const close = () => gathering.get(key) === checks && gathering.delete(key)
      inTurn(caller, async () => {
        await nextTurn()
        close()
        const wanted = checks.filter(({ isWanted }) => isWanted())
        for (const check of checks) if (!wanted.includes(check)) check.resolve(new Set())
        if (wanted.length > 0) await readTogether(caller, wanted)
      }).catch((cause: unknown) => {
        close()
        for (const each of checks) each.reject(refusal(each.topicName, cause))
      })
    })
  }

  async function readTogether(caller: Caller, checks: ReadCheck[]) {
    const statement = {
      name: 'realtime_try_reading',
      text:
        `select realtime.try_rights('read', t.name, $2, $3, t.wanted::text[]) as allowed ` +
        'from unnest($1::text[], $4::text[]) with ordinality t(name, wanted, place) order by t.place',
      values: [
        checks.map(({ topicName }) => topicName),
        caller.role,
        caller.claimsText,
        checks.map(({ extensions }) => `{${extensions.join()}}`),
      ],
    }
    try {
      const rows = await query(statement)
      checks.forEach(({ resolve }, place) => resolve(new Set(rows[place]?.allowed as Extension[])))
    } catch (cause) {
      if (checks.length === 1 || isUnavailable(cause)) throw cause
      // One topic's policy failed: the others still need their results.
      for (const each of checks)
        await readTogether(caller, [each]).catch((failure: unknown) =>
          each.reject(refusal(each.topicName, failure)),
        )
    }
  }

  return {
    authorize: (caller, topicName, operation, extensions, isWanted = () => true) =>
      operation === 'read'
        ? authorizeRead(caller, { topicName, extensions, isWanted })
        : check<Extension>(caller, topicName, {
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

function refusal(topicName: string, cause: unknown): ChannelError {
  return isUnavailable(cause)
    ? channelErrors.databaseUnavailable(cause)
    : channelErrors.unauthorized(topicName, cause)
}

/** A failing policy denies; only an unavailable database is worth a retry by the client. */
function isUnavailable(cause: unknown): boolean {
  const code = (cause as { code?: string }).code ?? ''
  return !/^[0-9A-Z]{5}$/.test(code) || UNAVAILABLE.test(code)
}
