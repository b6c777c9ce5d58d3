// Second stage: what has to be asked of the database? Resolves names against the schema and refuses what cannot be.
import { chooseMediaType, type ChosenType } from './choose-media-type.ts'
import { columnsRead } from './columns-read.ts'
import { restErrors } from './errors.ts'
import type { Action, ParsedRequest } from './parse-request.ts'
import { planCall } from './plan-call.ts'
import { planRead } from './plan-read.ts'
import { WRITTEN_ROWS, type Plan, type ReadNode } from './plan-types.ts'
import { planWrite } from './plan-write.ts'
import { keyOf, type Returns, type Schema, type Table } from './schema-types.ts'
import { suggest } from './suggest.ts'
import { valuePlaces } from './request-values.ts'

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
    { name: table.name, table, source: { kind: 'table', name } },
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
  const { representation, handling, maxAffected } = request.preferences
  const places = valuePlaces(request)
  const table = findTable(schema, request.schema, action.table)
  const read = planRead(
    request.query,
    { name: table.name, table, source: { kind: 'part', name: WRITTEN_ROWS } },
    readSettings(request, schema, settings),
    false,
  )
  const write = planWrite(action.kind, table, request, places.body)
  const chosen = chooseMediaType(request.accept, null, settings.explain)
  const withBody = representation === 'representation'
  const location =
    action.kind === 'insert' && representation === 'headers-only' ? table.primaryKey : []
  write.returning = withBody ? columnsRead(read) : location
  const limited = handling === 'strict' && maxAffected !== null && action.kind !== 'insert'
  return finish(chosen, {
    ...common(request, read, chosen),
    write,
    withBody,
    location,
    single: chosen.form.kind === 'object',
    maxAffected: limited ? places.maxAffected : null,
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
  const places = valuePlaces(request)
  const call = planCall(request, schema, places.body)
  const { returns, volatility } = call.routine
  const limited = preferences.handling === 'strict' && preferences.maxAffected !== null
  if (limited && !returns.isSet) throw restErrors.maxAffectedNeedsRows()
  const table = returns.table && schema.tables.get(keyOf(returns.table.schema, returns.table.name))
  const read = planRead(
    request.query,
    {
      name: returns.table?.name ?? call.routine.name,
      table: table ?? null,
      source: { kind: 'call', call },
    },
    readSettings(request, schema, settings),
    true,
  )
  limitRoot(read, request)
  const chosen = chooseMediaType(request.accept, returns, settings.explain)
  const readOnly = action.method !== 'POST' || volatility !== 'volatile'
  return finish(chosen, {
    ...common(request, read, chosen),
    withBody: action.method !== 'HEAD' && returns.kind !== 'void',
    single: mustBeSingle(chosen, returns) && !readOnly,
    maxAffected: limited ? places.maxAffected : null,
    readOnly,
  })
}

/** A function that returns one value or row is single by itself. */
function mustBeSingle({ form }: ChosenType, returns: Returns): boolean {
  return form.kind === 'object' && returns.isSet
}

function common(request: ParsedRequest, read: ReadNode, { form, explain }: ChosenType): Plan {
  return {
    write: null,
    read,
    form,
    withBody: true,
    count: request.preferences.count,
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
  read.limit = request.range.limit
  read.offset = request.range.offset > 0 ? valuePlaces(request).offset : null
}

export function findTable(schema: Schema, schemaName: string, name: string): Table {
  const table = schema.tables.get(keyOf(schemaName, name))
  if (table) return table
  const names = [...schema.tables.values()].flatMap((each) =>
    each.schema === schemaName ? [each.name] : [],
  )
  throw restErrors.noTable(schemaName, name, suggest(name, names))
}
