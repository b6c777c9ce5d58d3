// Runs statements as the caller. Authorization is left to Postgres: every request switches from `authenticator`, a
// login without privileges, to the caller's role and exposes the caller's claims to the policies.
import type pg from 'pg'
import { shareOf } from './caller-share.ts'
import { RequestAbortedError } from './errors.ts'
import { createPool, type GuardedClient } from './guarded-client.ts'
import { LIMITS } from './limits.ts'
import { sendPipelinedQuery, type TextRow } from './pipelined-query.ts'
import { Pipelines } from './pipelines.ts'
import { createSharedFlush, type Flush } from './shared-flush.ts'
import type { Query, Statement } from './statement.ts'
import { inTransaction, toConfig } from './transaction.ts'
import { FairGate, type AbortNotice, type Requester } from './waiting-line.ts'

const INTERACTIVE_CONNECTIONS = 4

/** The role and claims a request runs with. `claimsText` is the JSON that `auth.jwt()` returns. */
export type DatabaseCaller = {
  role: string
  claimsText: string
  /** Requests of the same `shareOf` share one turn in the queue. */
  claims?: { sub?: string; aal?: string }
}

/** Where a request comes from. */
export type Origin = {
  /** Network address; anonymous requests from one address share one turn in the queue. */
  address?: string
  /** Aborted when the client disconnects: a queued request is dropped, a running one is canceled in Postgres. */
  signal?: AbortNotice
}

export type RunOptions = {
  origin?: Origin
  readOnly?: boolean
  /** Rolls back at the end (PostgREST's `tx=rollback`). */
  rollback?: boolean
  /** Further transaction settings, e.g. `{ timezone: 'UTC', search_path: 'public' }`. */
  settings?: Readonly<Record<string, string>>
  /** A function called before the statement, with its name quoted (PostgREST's `db-pre-request`). */
  preRequest?: string | null
}

export type PipelinedQueryOptions = Omit<RunOptions, 'rollback'>

/** All methods throw what `Pipelines.run` throws, and Postgres errors. */
export type RunAsRole = {
  /** One statement in one transaction as the caller: a single round trip. */
  runAs(caller: DatabaseCaller, statement: Statement, options?: RunOptions): Promise<pg.QueryResult>
  /** The same as one pipelined query, which is cheaper: rows of strings, no rollback option. */
  rowsAs(
    caller: DatabaseCaller,
    statement: Statement,
    options?: PipelinedQueryOptions,
  ): Promise<TextRow[]>
  /** Several statements in one transaction as the caller, for work that must read before it writes. */
  transactionAs<T>(
    caller: DatabaseCaller,
    work: (query: Query) => Promise<T>,
    origin?: Origin,
  ): Promise<T>
  /** See shared-flush.ts. */
  takeFlush(): Flush | null
}

export function createRunAsRole(
  url: string,
  onError: (error: unknown) => void,
): RunAsRole & { close(): Promise<void> } {
  const pool = (name: string, max: number) =>
    createPool({ connectionString: url, max, application_name: name }, onError)
  const interactive = pool('data-interactive', INTERACTIVE_CONNECTIONS)
  const control = pool('data-control', 1)
  const gate = new FairGate(INTERACTIVE_CONNECTIONS, LIMITS.transactionsPerCaller)
  const cancel = (pid: number) => control.query('select pg_cancel_backend($1)', [pid])
  const terminate = (pid: number) => control.query('select pg_terminate_backend($1)', [pid])
  const pipelines = new Pipelines(url, onError, { cancel, terminate })
  const sharedFlush = createSharedFlush(url, onError)
  let writes = 0

  async function transactionAs<T>(
    caller: DatabaseCaller,
    work: (query: Query) => Promise<T>,
    origin: Origin = {},
  ): Promise<T> {
    const { signal } = origin
    if (signal?.aborted) throw new RequestAbortedError('the client disconnected')
    const leave = await gate.enter(requesterOf(caller, origin))
    try {
      return await inTransaction(interactive, [settingsFor(caller, {})], (query, client) =>
        terminateWhenAborted(client, signal, () => work(query)),
      )
    } finally {
      leave()
    }
  }

  async function terminateWhenAborted<T>(
    client: pg.PoolClient,
    signal: AbortNotice | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const { processID } = client as unknown as { processID: number }
    let timer: NodeJS.Timeout | undefined
    const onAbort = () => {
      timer = setTimeout(() => void terminate(processID).catch(onError), LIMITS.cancelAfterMs)
    }
    signal?.addEventListener('abort', onAbort)
    try {
      return await work()
    } finally {
      signal?.removeEventListener('abort', onAbort)
      clearTimeout(timer)
    }
  }

  function pipelined(
    caller: DatabaseCaller,
    statement: Statement,
    { settings = {}, origin, preRequest }: PipelinedQueryOptions,
    setting: Readonly<Record<string, string>>,
  ): Promise<TextRow[]> {
    const set = settingsFor(caller, { ...settings, ...setting }, preRequest)
    const requester = requesterOf(caller, origin)
    return pipelines.run(requester, statement.text, ({ client, prepared }) =>
      sendPipelinedQuery(client, prepared, set, statement, requester.key),
    )
  }

  return {
    async rowsAs(caller, statement, options = {}) {
      if (options.readOnly)
        return pipelined(caller, statement, options, { transaction_read_only: 'on' })
      // A write that is alone waits for the disk by itself: a statement less.
      const flush = writes > 0 ? sharedFlush.take() : null
      writes++
      try {
        const setting: Record<string, string> = flush ? { synchronous_commit: 'off' } : {}
        const rows = await pipelined(caller, statement, options, setting)
        await flush?.()
        return rows
      } finally {
        writes--
      }
    },
    runAs: (caller, statement, options = {}) =>
      pipelines.run(requesterOf(caller, options.origin), statement.text, ({ client }) =>
        sendTransaction(client, caller, statement, options),
      ),
    transactionAs,
    takeFlush: () => sharedFlush.take(),
    async close() {
      await Promise.all([pipelines.close(), interactive.end(), control.end(), sharedFlush.close()])
    },
  }
}

function requesterOf(caller: DatabaseCaller, origin: Origin | undefined): Requester {
  const { role } = caller
  const isAnonymous = role === 'anon'
  const isServer = !isAnonymous && caller.claims?.sub === undefined
  const place = isServer ? role : `anon ${origin?.address ?? ''}`
  return { key: shareOf(caller, place), isAnonymous, signal: origin?.signal }
}

// All four are sent in one write. After the first failure Postgres rejects the rest of the transaction, so the first
// error is the cause.
async function sendTransaction(
  client: GuardedClient,
  caller: DatabaseCaller,
  statement: Statement,
  { readOnly = false, rollback = false, settings = {}, preRequest }: RunOptions,
): Promise<pg.QueryResult> {
  const [begun, set, result, ended] = await Promise.allSettled([
    client.query({
      name: readOnly ? 'begin_read' : 'begin',
      text: readOnly ? 'begin read only' : 'begin',
    }),
    client.query(toConfig(settingsFor(caller, settings, preRequest))),
    client.query(toConfig(statement)),
    client.query({
      name: rollback ? 'rollback' : 'commit',
      text: rollback ? 'rollback' : 'commit',
    }),
  ])
  for (const step of [begun, set, result, ended]) {
    if (step.status === 'rejected') throw step.reason
  }
  return (result as PromiseFulfilledResult<pg.QueryResult>).value
}

function settingsFor(
  caller: DatabaseCaller,
  settings: Readonly<Record<string, string>>,
  preRequest?: string | null,
): Statement {
  const extra = Object.entries(settings)
  return {
    name: `settings_${extra.length}${preRequest ?? ''}`,
    text: settingsText(extra.length, preRequest ?? ''),
    values: [caller.role, caller.claimsText, ...extra.flat()],
  }
}

const settingsTexts = new Map<string, string>()

function settingsText(count: number, preRequest: string): string {
  const key = `${count}${preRequest}`
  const text = settingsTexts.get(key) ?? buildSettingsText(count, preRequest)
  settingsTexts.set(key, text)
  return text
}

// Selects the sum of the lengths, so that Postgres need not send the settings back. Postgres evaluates the columns in
// order, so the function sees the settings; a statement of its own would cost a tenth of a simple read.
function buildSettingsText(count: number, preRequest: string): string {
  return `select ${[
    "length(set_config('role', $1, true))",
    "length(set_config('request.jwt.claims', $2, true))",
    ...Array.from(
      { length: count },
      (_, index) => `length(set_config($${2 * index + 3}, $${2 * index + 4}, true))`,
    ),
  ].join(' + ')}${preRequest && `, ${preRequest}()`}`
}
