// Plans an insert, update or delete: which columns get which part of the body, and what the statement gives back.
import { restErrors } from './errors.ts'
import type { ParsedRequest } from './parse-request.ts'
import { planCondition } from './plan-read.ts'
import type { PlannedCondition, RowsPlan, WritePlan } from './plan-types.ts'
import type { Column, Table } from './schema-types.ts'

type Write = 'insert' | 'update' | 'upsertOne' | 'delete'

export function planWrite(
  kind: Write,
  table: Table,
  request: ParsedRequest,
  bodyValue: number,
): WritePlan {
  // Filled in when it is known what the reply reads.
  const returning: string[] = []
  if (kind === 'delete')
    return { kind, table, returning, conditions: narrowed(kind, request, table) }
  const rows = planRows(table, request, bodyValue, kind !== 'upsertOne')
  if (kind === 'update')
    return { kind, table, returning, rows, conditions: narrowed(kind, request, table) }
  if (kind === 'insert') {
    return { kind, table, returning, rows, conflict: conflictOf(table, request), keyConditions: [] }
  }
  requireKeyFilters(table, request)
  return {
    kind: 'insert',
    table,
    returning,
    rows,
    conflict: { columns: table.primaryKey, merge: true },
    keyConditions: rootConditions(request, table),
  }
}

/** Hosted Supabase loads pg-safeupdate for requests: nobody changes or empties a whole table by leaving out a filter. */
function narrowed(
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

/** PUT names exactly one row: by its whole key and by nothing else. */
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
