// Fourth stage: the only one that touches the database. One statement, one transaction, one round trip; only a guess
// of the number of rows takes more.
import type { Caller } from '#http/caller.ts'
import type { Database } from '#postgres/database.ts'
import type { BuiltStatement } from './build-sql.ts'
import { toRestError } from './database-error.ts'
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

type Row = {
  body: string
  shown: string
  total: string | null
  headers: string | null
  status: string | null
  updated?: number
  location?: [string, string | null][] | null
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
    const rows = prepared.sql.guess
      ? await runWithGuess(database, prepared, prepared.sql.guess, values, run)
      : await runOnce(database, prepared, values, run)
    prepared.proven = true
    return prepared.plan.explain ? explained(rows) : outcome(rows)
  } catch (error) {
    throw toRestError(error, run.caller.role !== 'anon')
  }
}

async function runOnce(
  database: Database,
  prepared: PreparedPlan,
  values: readonly (string | null)[],
  { caller, settings, rollback }: RunSettings,
): Promise<unknown[]> {
  const { main } = prepared.sql
  const statement = statementOf(main, values)
  const options = { readOnly: prepared.plan.readOnly, rollback, settings }
  if (!prepared.proven || prepared.plan.explain) {
    return rowsOf(await database.runAs(caller, statement, options))
  }
  try {
    return rowsOf(await database.runAs(caller, { ...statement, name: prepared.name }, options))
  } catch (error) {
    // Another request's attempt to prepare it, ahead on the same connection, failed.
    if ((error as { code?: string }).code !== NO_SUCH_STATEMENT) throw error
    return rowsOf(await database.runAs(caller, statement, options))
  }
}

function rowsOf(result: { rows: unknown[] }): unknown[] {
  return result.rows
}

async function runWithGuess(
  database: Database,
  { sql, plan }: PreparedPlan,
  guess: BuiltStatement,
  values: readonly (string | null)[],
  { caller, settings, rollback }: RunSettings,
): Promise<unknown[]> {
  let rows: unknown[] = []
  const undone = new Error('rolled back as asked')
  const work = database.transactionAs(caller, async (query) => {
    if (plan.readOnly) await query({ text: 'set transaction read only' })
    for (const setting of Object.entries(settings)) {
      await query({ text: 'select set_config($1, $2, true)', values: setting })
    }
    const guessed = await query(statementOf(guess, values))
    rows = (await query(statementOf(sql.main, values))).rows
    const [row] = rows as Row[]
    if (row && !plan.explain)
      row.total = chooseTotal(plan.count, guessedRows(guessed.rows), row.total)
    if (rollback) throw undone
  })
  await work.catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return rows
}

function chooseTotal(count: string | null, guessed: number, counted: string | null): string | null {
  return count === 'planned' || guessed > ESTIMATE_FROM ? String(guessed) : counted
}

function guessedRows(rows: unknown[]): number {
  const [row] = rows as { 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]
  return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}

function statementOf({ text, order }: BuiltStatement, values: readonly (string | null)[]) {
  return { text, values: order.map((place) => values[place] ?? null) }
}

function outcome(rows: unknown[]): QueryOutcome {
  const [row] = rows as Row[]
  return {
    body: row?.body ?? '',
    shown: Number(row?.shown ?? 0),
    total: row?.total == null ? null : Number(row.total),
    headers: row?.headers ?? null,
    status: row?.status ?? null,
    updated: row?.updated ?? 0,
    location: row?.location ?? null,
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
