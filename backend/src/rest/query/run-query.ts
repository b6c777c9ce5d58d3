// Fourth stage: runs the query. One statement, one transaction, one round trip.
import type { Caller } from '#http/caller.ts'
import type { Database } from '#postgres/database.ts'
import type { TextRow } from '#postgres/pipelined-query.ts'
import type { Origin } from '#postgres/run-as-role.ts'
import { restErrors } from '#rest/errors.ts'
import type { PreparedPlan } from '#rest/plan-cache.ts'
import type { Plan } from '#rest/plan/plan-types.ts'
import type { Table } from '#rest/schema-cache/schema-types.ts'
import type { BuiltStatement } from './build-sql.ts'
import { quoteTable } from './sql-names.ts'

export type QueryOutcome = {
  body: string
  /** Rows in the response. */
  shown: number
  /** Total matching rows, if requested. */
  total: number | null
  headers: string | null
  status: string | null
  updated: number
  location: [string, string | null][] | null
}

export type RunSettings = {
  caller: Caller
  origin: Origin
  settings: Readonly<Record<string, string>>
  preRequest: string | null
  rollback: boolean
}

const NO_SUCH_STATEMENT = '26000'

/** @throws as Postgres does; ServiceError 401 if an anonymous caller may not read a table */
export async function runQuery(
  database: Database,
  prepared: PreparedPlan,
  values: readonly (string | null)[],
  run: RunSettings,
): Promise<QueryOutcome> {
  if (run.caller.role === 'anon') await requireReadable(database, prepared.tables, run)
  const outcome = await execute(database, prepared, values, run)
  prepared.proven = true
  return outcome
}

/**
 * Checks table privileges first, because Postgres checks them only after planning the joins, which is expensive. Only for
 * anonymous callers: members may read most tables.
 */
async function requireReadable(
  database: Database,
  tables: Table[],
  { caller, origin }: RunSettings,
): Promise<void> {
  if (tables.length === 0) return
  const names = JSON.stringify(tables.map(quoteTable))
  const statement = {
    text: `select place from json_array_elements_text($1) with ordinality as t (name, place)
      where not has_any_column_privilege(name, 'select') limit 1`,
    values: [names],
  }
  const rows = await database.rowsAs(caller, statement, { origin })
  const refused = tables[Number(rows[0]?.[0] ?? 0) - 1]
  if (refused) throw restErrors.permissionDenied(refused.isView ? 'view' : 'table', refused.name)
}

async function execute(
  database: Database,
  prepared: PreparedPlan,
  values: readonly (string | null)[],
  run: RunSettings,
): Promise<QueryOutcome> {
  const { plan, sql } = prepared
  const { caller, origin, settings, preRequest, rollback } = run
  const options = { readOnly: plan.readOnly, settings, preRequest, origin }
  const statement = statementOf(sql, values)
  if (plan.explain || rollback) {
    const { rows } = await database.runAs(caller, statement, { ...options, rollback })
    return plan.explain ? explained(rows) : toOutcome(plan, toTextRow(rows))
  }
  if (!prepared.proven)
    return toOutcome(plan, first(await database.rowsAs(caller, statement, options)))
  try {
    const named = { ...statement, name: prepared.name }
    return toOutcome(plan, first(await database.rowsAs(caller, named, options)))
  } catch (error) {
    // An earlier request on the same connection failed to prepare it.
    if ((error as { code?: string }).code !== NO_SUCH_STATEMENT) throw error
    return toOutcome(plan, first(await database.rowsAs(caller, statement, options)))
  }
}

function statementOf({ text, order }: BuiltStatement, values: readonly (string | null)[]) {
  return { text, values: order.map((index) => values[index] ?? null) }
}

function first(rows: TextRow[]): TextRow {
  return rows[0] ?? []
}

/** The first row with its converted values as strings again, in the order of the select list. */
function toTextRow(rows: unknown[]): TextRow {
  const [row] = rows as Record<string, string | number | null>[]
  return Object.values(row ?? {}).map((value) => (value === null ? null : String(value)))
}

/** Reads the columns in the order in which build-sql selects them. */
function toOutcome({ location, write }: Plan, row: TextRow): QueryOutcome {
  const [body, shown, total, headers, status, ...more] = row
  const counted = write?.kind === 'insert' && write.conflict?.merge ? more.shift() : null
  const key = location.length > 0 ? more.shift() : null
  return {
    body: body ?? '',
    shown: Number(shown ?? 0),
    total: total == null ? null : Number(total),
    headers: headers ?? null,
    status: status ?? null,
    updated: Number(counted ?? 0),
    location: key == null ? null : (JSON.parse(key) as QueryOutcome['location']),
  }
}

/** Postgres returns a plan line by line, or as one JSON value. */
function explained(rows: unknown[]): QueryOutcome {
  const lines = (rows as { 'QUERY PLAN': unknown }[]).map((row) => row['QUERY PLAN'])
  const body = lines.every((line) => typeof line === 'string')
    ? lines.join('\n')
    : JSON.stringify(lines[0])
  return { body, shown: 0, total: null, headers: null, status: null, updated: 0, location: null }
}
