// Work in a member's name. Rights live in Postgres: every request switches from `authenticator`, a login without
// rights, to the caller's role and hands the caller's claims to the policies.
import pg from 'pg'
import { sendLean, type PreparedTexts, type TextRow } from './lean-request.ts'
import { inTransaction, toConfig } from './transaction.ts'
import type { Query, Statement } from './statement.ts'

/** Measured on two cores: 2 to 4 connections with two requests in flight on each saturate Postgres. */
const PIPELINES = 4
const IN_FLIGHT_PER_PIPELINE = 2
/** Postgres keeps every prepared statement of a connection in memory, so the connection is replaced after this many. */
const PREPARED_PER_PIPELINE = 1_000

/** Whom the database should take the request for. `claimsText` is the JSON that `auth.jwt()` returns. */
export type DatabaseCaller = { role: string; claimsText: string }

export type RunOptions = {
  readOnly?: boolean
  /** Does everything, then undoes it (PostgREST's `tx=rollback`). */
  rollback?: boolean
  /** Further transaction settings, e.g. `{ timezone: 'UTC', search_path: 'public' }`. */
  settings?: Readonly<Record<string, string>>
}

export type LeanOptions = Omit<RunOptions, 'rollback'>

export type DataRequests = {
  /** One statement in one transaction as the caller: a single round trip. */
  runAs(caller: DatabaseCaller, statement: Statement, options?: RunOptions): Promise<pg.QueryResult>
  /** The same with the least work on both sides: rows of texts, and nothing between the lines to roll back. */
  rowsAs(caller: DatabaseCaller, statement: Statement, options?: LeanOptions): Promise<TextRow[]>
  /** Several statements in one transaction as the caller, for work that must look before it leaps. */
  transactionAs<T>(caller: DatabaseCaller, work: (query: Query) => Promise<T>): Promise<T>
}

type Pipeline = {
  client: pg.Client
  inFlight: number
  usable: Promise<void>
  prepared: PreparedTexts
}

export function createDataRequests(
  url: string,
  onError: (error: unknown) => void,
): DataRequests & { close(): Promise<void> } {
  const pipelines: (Pipeline | null)[] = Array.from({ length: PIPELINES }, () => null)
  const waiting: (() => void)[] = []
  const interactive = new pg.Pool({
    connectionString: url,
    max: 4,
    application_name: 'data-interactive',
  })
  interactive.on('error', onError)
  let closed = false

  function open(slot: number): Pipeline {
    const client = new pg.Client({
      connectionString: url,
      pipeline: true,
      application_name: 'data-pipeline',
    })
    const forget = () => {
      if (pipelines[slot]?.client === client) pipelines[slot] = null
    }
    client.on('error', (error) => {
      forget()
      onError(error)
    })
    client.on('end', forget)
    const usable = client.connect().then(
      () => undefined,
      (error: unknown) => {
        forget()
        throw error
      },
    )
    return (pipelines[slot] = { client, inFlight: 0, usable, prepared: new Map() })
  }

  function leastBusy(): Pipeline | null {
    let best: Pipeline | null = null
    for (let slot = 0; slot < PIPELINES; slot++) {
      const pipeline = pipelines[slot] ?? open(slot)
      if (pipeline.inFlight === 0) return pipeline
      if (!best || pipeline.inFlight < best.inFlight) best = pipeline
    }
    return best && best.inFlight < IN_FLIGHT_PER_PIPELINE ? best : null
  }

  async function take(): Promise<Pipeline> {
    for (;;) {
      if (closed) throw new Error('the database connections are closed')
      const pipeline = leastBusy()
      if (pipeline) {
        pipeline.inFlight++
        return pipeline
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  function release(pipeline: Pipeline) {
    pipeline.inFlight--
    if (pipeline.prepared.size > PREPARED_PER_PIPELINE) retire(pipeline)
    waiting.shift()?.()
  }

  /** Takes no new request; closes when the last one it has is answered. */
  function retire(pipeline: Pipeline) {
    const slot = pipelines.indexOf(pipeline)
    if (slot >= 0) pipelines[slot] = null
    if (pipeline.inFlight === 0) pipeline.client.end().catch(onError)
  }

  return {
    async rowsAs(caller, statement, { readOnly = false, settings = {} } = {}) {
      const pipeline = await take()
      try {
        await pipeline.usable
        const set = settingsFor(
          caller,
          readOnly ? { ...settings, transaction_read_only: 'on' } : settings,
        )
        return await sendLean(pipeline.client, pipeline.prepared, set, statement)
      } finally {
        release(pipeline)
      }
    },
    async runAs(caller, statement, options = {}) {
      const pipeline = await take()
      try {
        await pipeline.usable
        return await sendPipelined(pipeline.client, caller, statement, options)
      } finally {
        release(pipeline)
      }
    },
    transactionAs: (caller, work) => inTransaction(interactive, [settingsFor(caller, {})], work),
    async close() {
      closed = true
      await Promise.all([
        interactive.end(),
        ...pipelines.map((pipeline) =>
          pipeline?.usable.then(() => pipeline.client.end()).catch(() => undefined),
        ),
      ])
    },
  }
}

// All four leave in one write. When an early one fails, Postgres refuses the rest of the transaction, so the first
// failure is the one that tells.
async function sendPipelined(
  client: pg.Client,
  caller: DatabaseCaller,
  statement: Statement,
  { readOnly = false, rollback = false, settings = {} }: RunOptions,
): Promise<pg.QueryResult> {
  const [begun, set, answered, ended] = await Promise.allSettled([
    client.query({
      name: readOnly ? 'begin_read' : 'begin',
      text: readOnly ? 'begin read only' : 'begin',
    }),
    client.query(toConfig(settingsFor(caller, settings))),
    client.query(toConfig(statement)),
    client.query({
      name: rollback ? 'rollback' : 'commit',
      text: rollback ? 'rollback' : 'commit',
    }),
  ])
  for (const step of [begun, set, answered, ended]) {
    if (step.status === 'rejected') throw step.reason
  }
  return (answered as PromiseFulfilledResult<pg.QueryResult>).value
}

function settingsFor(
  caller: DatabaseCaller,
  settings: Readonly<Record<string, string>>,
): Statement {
  const extra = Object.entries(settings)
  return {
    name: `settings_${extra.length}`,
    text: settingsText(extra.length),
    values: [caller.role, caller.claimsText, ...extra.flat()],
  }
}

const settingsTexts: string[] = []

// Sums lengths, because the settings themselves need not travel back.
function settingsText(count: number): string {
  return (settingsTexts[count] ??= `select ${[
    "length(set_config('role', $1, true))",
    "length(set_config('request.jwt.claims', $2, true))",
    ...Array.from(
      { length: count },
      (_, index) => `length(set_config($${2 * index + 3}, $${2 * index + 4}, true))`,
    ),
  ].join(' + ')}`)
}
