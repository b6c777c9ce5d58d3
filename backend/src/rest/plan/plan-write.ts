// Plans an insert, update or delete: the columns to write and the rows to affect.
import { restErrors } from '#rest/errors.ts'
import type { ParsedRequest } from '#rest/request/parse-request.ts'
import type { Column, Table } from '#rest/schema-cache/schema-types.ts'
import { planCondition } from './plan-read.ts'
import type { PlannedCondition, RowsPlan, WritePlan } from './plan-types.ts'

type Write = 'insert' | 'update' | 'upsertOne' | 'delete'

export function planWrite(
  kind: Write,
  table: Table,
  request: ParsedRequest,
  bodyValue: number,
): WritePlan {
  // Set by plan-query once the response's columns are known.
  const returning: string[] = []
  if (kind === 'delete')
    return { kind, table, returning, conditions: requiredConditions(kind, request, table) }
  const rows = planRows(table, request, bodyValue, kind !== 'upsertOne')
  if (kind === 'update') {
    // An empty body updates nothing, so it needs no filter.
    const conditions =
      rows.columns.length === 0
        ? rootConditions(request, table)
        : requiredConditions(kind, request, table)
    return { kind, table, returning, rows, conditions }
  }
  if (kind === 'insert') {
    return { kind, table, returning, rows, conflict: conflictOf(table, request), keyConditions: [] }
  }
  requireKeyFilters(table, request)
  const given = new Set(rows.columns.map(({ name }) => name))
  if (!table.primaryKey.every((name) => given.has(name))) throw restErrors.putKeyMismatch()
  return {
    kind: 'insert',
    table,
    returning,
    rows,
    conflict: { columns: table.primaryKey, merge: true },
    keyConditions: rootConditions(request, table),
  }
}

/** Like pg-safeupdate, which hosted Supabase loads: an update or delete without a filter is an error. */
function requiredConditions(
  kind: 'update' | 'delete',
  request: ParsedRequest,
  table: Table,
): PlannedCondition[] {
  const conditions = rootConditions(request, table)
  if (conditions.length === 0) throw restErrors.noFilter(kind)
  return conditions
}

function rootConditions({ query }: ParsedRequest, table: Table): PlannedCondition[] {
  const node = { table, embeds: [] }
  return [...query.filters, ...query.trees]
    .filter(({ path }) => path.length === 0)
    .map(({ what }) => planCondition(what, node))
}

function planRows(
  table: Table,
  { body, preferences }: ParsedRequest,
  value: number,
  allowDefaults: boolean,
): RowsPlan {
  if (body?.kind !== 'json') throw restErrors.invalidBody('Empty or invalid json')
  const columns = body.keys.map((key): Column => {
    const column = table.columns.get(key)
    if (!column) throw restErrors.noColumn(table.name, key)
    return column
  })
  return {
    value,
    isArray: body.isArray,
    columns,
    useDefaults: allowDefaults && preferences.missing === 'default',
  }
}

function conflictOf(table: Table, { preferences, query }: ParsedRequest) {
  const columns = query.onConflict ?? table.primaryKey
  if (!preferences.resolution || columns.length === 0) return null
  return { columns, merge: preferences.resolution === 'merge-duplicates' }
}

/** PUT must filter by the whole primary key and nothing else. */
function requireKeyFilters(table: Table, { query }: ParsedRequest) {
  const filtered = query.filters.map(({ path, what }) => {
    const { operation, negated, field } = what
    const isEqual =
      operation.kind === 'compare' && operation.operator === 'eq' && !operation.quantifier
    return isEqual && !negated && path.length === 0 && field.path.length === 0 ? field.name : null
  })
  const key = new Set(table.primaryKey)
  const isExact =
    key.size > 0 &&
    query.trees.length === 0 &&
    filtered.every((name) => name !== null && key.has(name))
  if (!isExact || new Set(filtered).size !== key.size) throw restErrors.invalidFilters()
}
