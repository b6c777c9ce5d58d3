// Second stage: plans the query. Resolves names against the schema cache and rejects invalid requests.
import { restErrors } from '#rest/errors.ts'
import type { Action, ParsedRequest } from '#rest/request/parse-request.ts'
import { valueIndexes } from '#rest/request/request-values.ts'
import {
  keyOf,
  type Returns,
  type Routine,
  type Schema,
  type Table,
} from '#rest/schema-cache/schema-types.ts'
import { chooseMediaType } from './choose-media-type.ts'
import { planCall } from './plan-call.ts'
import { clampLimit, planRead } from './plan-read.ts'
import { SCALAR, WRITTEN_ROWS, type Plan, type ReadNode } from './plan-types.ts'
import { planWrite } from './plan-write.ts'
import { requiredColumns } from './required-columns.ts'
import { MIN_NAME_SIMILARITY, suggest } from './suggest.ts'

export type PlanSettings = { aggregates: boolean; explain: boolean }

/** @throws ServiceError 400, 404 or 406 for what the schema does not offer */
export function planQuery(request: ParsedRequest, schema: Schema, settings: PlanSettings): Plan {
  const { action, preferences } = request
  if (preferences.handling === 'strict' && preferences.invalid.length > 0) {
    throw restErrors.invalidPreferences(preferences.invalid)
  }
  switch (action.kind) {
    case 'describe':
      throw restErrors.descriptionOff()
    case 'call':
      return planFunction({ ...request, action }, schema, settings)
    case 'read':
      return planTableRead({ ...request, action }, schema, settings)
    default:
      return planTableWrite({ ...request, action }, schema, settings)
  }
}

type With<Kind extends Action['kind']> = ParsedRequest & { action: Action & { kind: Kind } }

function planTableRead(request: With<'read'>, schema: Schema, settings: PlanSettings): Plan {
  const table = findTable(schema, request.schema, request.action.table)
  const name = { schema: table.schema, name: table.name }
  const read = planRead(
    request.query,
    { table, source: { kind: 'table', name } },
    readSettings(request, schema, settings),
    true,
  )
  limitRoot(read, request)
  return { ...planResult(request, read, null, settings), withBody: !request.action.headersOnly }
}

function planTableWrite(
  request: With<'insert' | 'update' | 'upsertOne' | 'delete'>,
  schema: Schema,
  settings: PlanSettings,
): Plan {
  const { kind } = request.action
  const { representation } = request.preferences
  const indexes = valueIndexes(request)
  const table = findTable(schema, request.schema, request.action.table)
  const read = planRead(
    request.query,
    { table, source: { kind: 'part', name: WRITTEN_ROWS } },
    readSettings(request, schema, settings),
    false,
  )
  const write = planWrite(kind, table, request, indexes.body)
  const withBody = representation === 'representation'
  const location = kind === 'insert' && representation === 'headers-only' ? table.primaryKey : []
  write.returning = withBody ? requiredColumns(read) : location
  const plan = planResult(request, read, null, settings)
  return {
    ...plan,
    write,
    withBody,
    location,
    single: plan.form.kind === 'object',
    maxAffected: kind === 'insert' ? null : indexes.maxAffected,
    matchKey: kind === 'upsertOne',
    readOnly: false,
  }
}

function planFunction(request: With<'call'>, schema: Schema, settings: PlanSettings): Plan {
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
  const readOnly = action.method !== 'POST' || volatility !== 'volatile'
  const plan = planResult(request, read, returns, settings)
  return {
    ...plan,
    withBody: action.method !== 'HEAD' && returns.kind !== 'void',
    // A function that does not return a set has a single result anyway.
    single: plan.form.kind === 'object' && returns.isSet && !readOnly,
    maxAffected: limited ? indexes.maxAffected : null,
    readOnly,
  }
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

/** How the rows are returned; all else as for a read. @param returns the result of a function */
function planResult(
  request: ParsedRequest,
  read: ReadNode,
  returns: Returns | null,
  settings: PlanSettings,
): Plan {
  return {
    ...chooseMediaType(request.accept, returns, settings.explain),
    write: null,
    read,
    withBody: true,
    counted: request.preferences.count !== null,
    location: [],
    single: false,
    maxAffected: null,
    matchKey: false,
    readOnly: true,
  }
}

function readSettings(request: ParsedRequest, schema: Schema, { aggregates }: PlanSettings) {
  return { schema, schemaName: request.schema, aggregates }
}

function limitRoot(read: ReadNode, request: ParsedRequest) {
  read.limit = clampLimit(request.range.limit)
  read.offset = request.range.offset > 0 ? valueIndexes(request).offset : null
}

function findTable(schema: Schema, schemaName: string, name: string): Table {
  const table = schema.tables.get(keyOf(schemaName, name))
  if (table) return table
  const names = [...schema.tables.values()].flatMap((each) =>
    each.schema === schemaName ? [each.name] : [],
  )
  throw restErrors.noTable(schemaName, name, suggest(name, names, MIN_NAME_SIMILARITY))
}
