// Fourth stage: the only one that touches the database. One statement, one transaction, one round trip; only a guess
// of the number of rows takes more.
import type { Caller } from '#http/caller.ts'
import type { Database } from '#postgres/database.ts'
import type { TextRow } from '#postgres/lean-request.ts'
import type { BuiltStatement } from './build-sql.ts'
import { toRestError } from './database-error.ts'
import type { Plan } from './plan-types.ts'
import type { PreparedPlan } from './prepared-plan.ts'

export type QueryOutcome = {
  body: string
  /** Rows in the reply. */
  shown: number
  /** Rows that match in all, where the client asked. */
  total: number | null
  headers: string | null
  status: string | null
  updated: number
  location: [string, string | null][] | null
}

export type RunSettings = {
  caller: Caller
  settings: Readonly<Record<string, string>>
  rollback: boolean
}

/** Below this many rows an estimated count is counted after all. */
const ESTIMATE_FROM = 1_000
const NO_SUCH_STATEMENT = '26000'

/** @throws ServiceError for what Postgres refuses */
export async function runQuery(
  database: Database,
  prepared: PreparedPlan,
  values: readonly (string | null)[],
  run: RunSettings,
): Promise<QueryOutcome> {
  try {
    const answer = await answerOf(database, prepared, values, run)
    prepared.proven = true
    return answer
  } catch (error) {
    throw toRestError(error, run.caller.role !== 'anon')
  }
}

async function answerOf(
  database: Database,
  prepared: PreparedPlan,
  values: readonly (string | null)[],
  run: RunSettings,
): Promise<QueryOutcome> {
  const { plan, sql } = prepared
  if (sql.guess) return runWithGuess(database, prepared, sql.guess, values, run)
  const { caller, settings, rollback } = run
  const options = { readOnly: plan.readOnly, settings }
  const statement = statementOf(sql.main, values)
  if (plan.explain || rollback) {
    const { rows } = await database.runAs(caller, statement, { ...options, rollback })
    return plan.explain ? explained(rows) : outcome(plan, textsOf(rows))
  }
  if (!prepared.proven)
    return outcome(plan, first(await database.rowsAs(caller, statement, options)))
  try {
    const named = { ...statement, name: prepared.name }
    return outcome(plan, first(await database.rowsAs(caller, named, options)))
  } catch (error) {
    // Another request's attempt to prepare it, ahead on the same connection, failed.
    if ((error as { code?: string }).code !== NO_SUCH_STATEMENT) throw error
    return outcome(plan, first(await database.rowsAs(caller, statement, options)))
  }
}

async function runWithGuess(
  database: Database,
  { sql, plan }: PreparedPlan,
  guess: BuiltStatement,
  values: readonly (string | null)[],
  { caller, settings, rollback }: RunSettings,
): Promise<QueryOutcome> {
  let answer: QueryOutcome | null = null
  const undone = new Error('rolled back as asked')
  const work = database.transactionAs(caller, async (query) => {
    if (plan.readOnly) await query({ text: 'set transaction read only' })
    for (const setting of Object.entries(settings)) {
      await query({ text: 'select set_config($1, $2, true)', values: setting })
    }
    const guessed = await query(statementOf(guess, values))
    const { rows } = await query(statementOf(sql.main, values))
    if (plan.explain) answer = explained(rows)
    else {
      const given = outcome(plan, textsOf(rows))
      answer = { ...given, total: chooseTotal(plan.count, guessedRows(guessed.rows), given.total) }
    }
    if (rollback) throw undone
  })
  await work.catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return answer ?? outcome(plan, [])
}

function chooseTotal(count: string | null, guessed: number, counted: number | null): number | null {
  return count === 'planned' || guessed > ESTIMATE_FROM ? guessed : counted
}

function guessedRows(rows: unknown[]): number {
  const [row] = rows as { 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]
  return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}

function statementOf({ text, order }: BuiltStatement, values: readonly (string | null)[]) {
  return { text, values: order.map((place) => values[place] ?? null) }
}

function first(rows: TextRow[]): TextRow {
  return rows[0] ?? []
}

/** A row of converted values as texts again, in the order of the select list. */
function textsOf(rows: unknown[]): TextRow {
  const [row] = rows as Record<string, string | number | null>[]
  return Object.values(row ?? {}).map((value) => (value === null ? null : String(value)))
}

/** Reads the columns in the order that build-sql selects them in. */
function outcome({ location, write }: Plan, row: TextRow): QueryOutcome {
  const [body, shown, total, headers, status, ...more] = row
  const counted = write?.kind === 'insert' && write.conflict?.merge ? more.shift() : null
  const place = location.length > 0 ? more.shift() : null
  return {
    body: body ?? '',
    shown: Number(shown ?? 0),
    total: total == null ? null : Number(total),
    headers: headers ?? null,
    status: status ?? null,
    updated: Number(counted ?? 0),
    location: place == null ? null : (JSON.parse(place) as QueryOutcome['location']),
  }
}

/** Postgres gives a plan line by line, or as one JSON value. */
function explained(rows: unknown[]): QueryOutcome {
  const lines = (rows as { 'QUERY PLAN': unknown }[]).map((row) => row['QUERY PLAN'])
  const body = lines.every((line) => typeof line === 'string')
    ? lines.join('\n')
    : JSON.stringify(lines[0])
  return { body, shown: 0, total: null, headers: null, status: null, updated: 0, location: null }
}
