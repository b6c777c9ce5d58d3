// Second stage: plans the query. Resolves names against the schema cache and rejects invalid requests.
import { restErrors } from '#rest/errors.ts'
import { SCALAR } from '#rest/query/call-sql.ts'
import { chooseMediaType, type ChosenType } from '#rest/request/choose-media-type.ts'
import type { Action, ParsedRequest } from '#rest/request/parse-request.ts'
import { valueIndexes } from '#rest/request/request-values.ts'
import {
  keyOf,
  type Returns,
  type Routine,
  type Schema,
  type Table,
} from '#rest/schema-cache/schema-types.ts'
import { planCall } from './plan-call.ts'
import { clampLimit, planRead } from './plan-read.ts'
import { WRITTEN_ROWS, type Plan, type ReadNode } from './plan-types.ts'
import { planWrite } from './plan-write.ts'
import { requiredColumns } from './required-columns.ts'
import { MIN_NAME_SIMILARITY, suggest } from './suggest.ts'

export type PlanSettings = { aggregates: boolean; explain: boolean }
export type PlannedQuery = { plan: Plan; contentType: string }

export function planQuery(
  request: ParsedRequest,
  schema: Schema,
  settings: PlanSettings,
): PlannedQuery {
  const { action, preferences } = request
  if (preferences.handling === 'strict' && preferences.invalid.length > 0) {
    throw restErrors.invalidPreferences(preferences.invalid)
  }
  if (action.kind === 'describe') throw restErrors.descriptionOff()
  if (action.kind === 'call') return planFunction({ ...request, action }, schema, settings)
  return action.kind === 'read'
    ? planTableRead(request, action, schema, settings)
    : planTableWrite(request, action, schema, settings)
}

function planTableRead(
  request: ParsedRequest,
  action: Action & { kind: 'read' },
  schema: Schema,
  settings: PlanSettings,
): PlannedQuery {
  const table = findTable(schema, request.schema, action.table)
  const name = { schema: table.schema, name: table.name }
  const read = planRead(
    request.query,
    { table, source: { kind: 'table', name } },
    readSettings(request, schema, settings),
    true,
  )
  limitRoot(read, request)
  const chosen = chooseMediaType(request.accept, null, settings.explain)
  return finish(chosen, {
    ...common(request, read, chosen),
    withBody: !action.headersOnly,
    readOnly: true,
  })
}

function planTableWrite(
  request: ParsedRequest,
  action: Action & { kind: 'insert' | 'update' | 'upsertOne' | 'delete' },
  schema: Schema,
  settings: PlanSettings,
): PlannedQuery {
  const { representation } = request.preferences
  const indexes = valueIndexes(request)
  const table = findTable(schema, request.schema, action.table)
  const read = planRead(
    request.query,
    { table, source: { kind: 'part', name: WRITTEN_ROWS } },
    readSettings(request, schema, settings),
    false,
  )
  const write = planWrite(action.kind, table, request, indexes.body)
  const chosen = chooseMediaType(request.accept, null, settings.explain)
  const withBody = representation === 'representation'
  const location =
    action.kind === 'insert' && representation === 'headers-only' ? table.primaryKey : []
  write.returning = withBody ? requiredColumns(read) : location
  return finish(chosen, {
    ...common(request, read, chosen),
    write,
    withBody,
    location,
    single: chosen.form.kind === 'object',
    maxAffected: action.kind === 'insert' ? null : indexes.maxAffected,
    matchKey: action.kind === 'upsertOne',
    readOnly: false,
  })
}

function planFunction(
  request: ParsedRequest & { action: { kind: 'call' } },
  schema: Schema,
  settings: PlanSettings,
): PlannedQuery {
  const { action, preferences } = request
  const indexes = valueIndexes(request)
  const call = planCall(request, schema, indexes.body)
  const { returns, volatility } = call.routine
  const limited = preferences.handling === 'strict' && preferences.maxAffected !== null
  if (limited && !returns.isSet) throw restErrors.maxAffectedNeedsRows()
  const read = planRead(
    request.query,
    { table: resultOf(call.routine, schema), source: { kind: 'call', call } },
    readSettings(request, schema, settings),
    true,
  )
  if (returns.isSet) limitRoot(read, request)
  const chosen = chooseMediaType(request.accept, returns, settings.explain)
  const readOnly = action.method !== 'POST' || volatility !== 'volatile'
  return finish(chosen, {
    ...common(request, read, chosen),
    withBody: action.method !== 'HEAD' && returns.kind !== 'void',
    single: mustBeSingle(chosen, returns) && !readOnly,
    maxAffected: limited ? indexes.maxAffected : null,
    readOnly,
  })
}

/** The table whose rows a function returns; otherwise a table made of its result columns. */
function resultOf({ returns, schema: schemaName, name }: Routine, schema: Schema): Table {
  const known = returns.table && schema.tables.get(keyOf(returns.table.schema, returns.table.name))
  if (known) return known
  const columns =
    returns.kind === 'row'
      ? returns.columns
      : [{ name: SCALAR, type: returns.type, base: returns.type }]
  return {
    schema: schemaName,
    name,
    isView: false,
    description: null,
    columns: new Map(
      columns.map((column) => [
        column.name,
        { ...column, nullable: true, default: null, description: null, enumValues: null },
      ]),
    ),
    computed: new Map(),
    primaryKey: [],
    insertable: false,
    updatable: false,
    deletable: false,
  }
}

/** A function that does not return a set has a single result anyway. */
function mustBeSingle({ form }: ChosenType, returns: Returns): boolean {
  return form.kind === 'object' && returns.isSet
}

function common(request: ParsedRequest, read: ReadNode, { form, explain }: ChosenType): Plan {
  return {
    write: null,
    read,
    form,
    withBody: true,
    counted: request.preferences.count !== null,
    location: [],
    single: false,
    maxAffected: null,
    matchKey: false,
    explain,
    readOnly: true,
  }
}

function finish({ contentType }: ChosenType, plan: Plan): PlannedQuery {
  return { plan, contentType }
}

function readSettings(request: ParsedRequest, schema: Schema, { aggregates }: PlanSettings) {
  return { schema, schemaName: request.schema, aggregates }
}

function limitRoot(read: ReadNode, request: ParsedRequest) {
  read.limit = clampLimit(request.range.limit)
  read.offset = request.range.offset > 0 ? valueIndexes(request).offset : null
}

export function findTable(schema: Schema, schemaName: string, name: string): Table {
  const table = schema.tables.get(keyOf(schemaName, name))
  if (table) return table
  const names = [...schema.tables.values()].flatMap((each) =>
    each.schema === schemaName ? [each.name] : [],
  )
  throw restErrors.noTable(schemaName, name, suggest(name, names, MIN_NAME_SIMILARITY))
}
