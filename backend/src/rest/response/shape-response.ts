// Last stage: builds status, headers and body of the response from the query's outcome.
import { textResponse } from '#http/text-response.ts'
import { restErrors } from '#rest/errors.ts'
import type { Plan } from '#rest/plan/plan-types.ts'
import type { QueryOutcome } from '#rest/query/run-query.ts'
import { planContentType } from '#rest/request/media-types.ts'
import type { ParsedRequest } from '#rest/request/parse-request.ts'
import { appliedPreferences } from '#rest/request/preferences.ts'
import { applyResponseGucs } from './response-gucs.ts'

type ResponseParts = { status: number; headers: [string, string][]; body: string | Buffer | null }

export function shapeResponse(request: ParsedRequest, plan: Plan, outcome: QueryOutcome): Response {
  if (plan.explain) return explainResponse(plan.explain, outcome)
  const parts = responseTo(request, plan, outcome)
  if (request.schemaNegotiated && parts.headers.some(([name]) => name === 'content-type'))
    parts.headers.push(['content-profile', request.schema])
  const { status, headers } = applyResponseGucs(outcome, parts.status, parts.headers)
  const bodiless = status === 204 || status === 205 || status === 304
  // Next to a text, Node would encode a header of a function once more.
  return typeof parts.body === 'string' && !bodiless && outcome.headers === null
    ? textResponse(parts.body, { status, headers })
    : new Response(bodiless ? null : parts.body, { status, headers })
}

function responseTo(request: ParsedRequest, plan: Plan, outcome: QueryOutcome): ResponseParts {
  switch (request.action.kind) {
    case 'insert':
      return insertResponse(request, plan, outcome)
    case 'update':
    case 'delete':
      return changeResponse(request, plan, outcome)
    case 'upsertOne':
      return putResponse(request, plan, outcome)
    default:
      return readResponse(request, plan, outcome)
  }
}

function readResponse(request: ParsedRequest, plan: Plan, outcome: QueryOutcome): ResponseParts {
  const { action, range, preferences } = request
  const { shown, total } = outcome
  const routine = plan.read.source.kind === 'call' ? plan.read.source.call.routine : null
  if (plan.form.kind === 'object' && (!routine || routine.returns.isSet) && shown !== 1) {
    throw restErrors.notSingular(shown)
  }
  if (total !== null && range.offset > total)
    throw restErrors.offsetOutOfBounds(range.offset, total)
  const last = range.offset + shown - 1
  const headers = [contentRange(range.offset, last, total)]
  const wanted = routine ? (['count', 'maxAffected'] as const) : (['count'] as const)
  addPreferences(headers, appliedPreferences(preferences, wanted))
  if (routine?.returns.kind === 'void') return { status: 204, headers, body: null }
  headers.push(['content-type', plan.contentType])
  const status = total !== null && shown < total ? 206 : 200
  const isHead =
    action.kind === 'read' ? action.headersOnly : action.kind === 'call' && action.method === 'HEAD'
  return { status, headers, body: isHead ? null : bodyOf(plan.form.kind, outcome.body) }
}

function insertResponse(request: ParsedRequest, plan: Plan, outcome: QueryOutcome): ResponseParts {
  const { preferences, query, action } = request
  const write = plan.write
  const hasKey = query.onConflict !== null || (write?.table.primaryKey.length ?? 0) > 0
  const headers: [string, string][] = []
  if (outcome.location && outcome.location.length > 0 && 'table' in action) {
    headers.push([
      'location',
      `/${encodeURIComponent(action.table)}?${locationQuery(outcome.location)}`,
    ])
  }
  headers.push(countRange(request, outcome))
  const applied = hasKey ? preferences : { ...preferences, resolution: null }
  addPreferences(
    headers,
    appliedPreferences(applied, ['resolution', 'missing', 'representation', 'count']),
  )
  const onlyUpdated =
    preferences.resolution === 'merge-duplicates' && outcome.updated >= outcome.shown
  const merges = write?.kind === 'insert' && write.conflict !== null
  const status = merges && onlyUpdated ? 200 : 201
  if (!plan.withBody) return { status, headers, body: null }
  headers.push(['content-type', plan.contentType])
  return { status, headers, body: outcome.body }
}

function changeResponse(request: ParsedRequest, plan: Plan, outcome: QueryOutcome): ResponseParts {
  const isUpdate = request.action.kind === 'update'
  const total = isCounted(request) ? outcome.shown : null
  const headers = [
    isUpdate ? contentRange(0, outcome.shown - 1, total) : countRange(request, outcome),
  ]
  const wanted = isUpdate
    ? (['missing', 'representation', 'count', 'maxAffected'] as const)
    : (['representation', 'count', 'maxAffected'] as const)
  addPreferences(headers, appliedPreferences(request.preferences, wanted))
  if (!plan.withBody) return { status: 204, headers, body: null }
  headers.push(['content-type', plan.contentType])
  return { status: 200, headers, body: outcome.body }
}

function putResponse(request: ParsedRequest, plan: Plan, outcome: QueryOutcome): ResponseParts {
  const headers: [string, string][] = []
  addPreferences(headers, appliedPreferences(request.preferences, ['representation', 'count']))
  if (!plan.withBody) return { status: 204, headers, body: null }
  headers.push(['content-type', plan.contentType])
  return { status: outcome.updated > 0 ? 200 : 201, headers, body: outcome.body }
}

function explainResponse(explain: NonNullable<Plan['explain']>, { body }: QueryOutcome) {
  return new Response(body, { headers: { 'content-type': planContentType(explain) } })
}

function contentRange(first: number, last: number, total: number | null): [string, string] {
  const rows = total !== 0 && first <= last ? `${first}-${last}` : '*'
  return ['content-range', `${rows}/${total ?? '*'}`]
}

/** For a write, the count is the number of rows written. */
function countRange(request: ParsedRequest, { shown }: QueryOutcome): [string, string] {
  return ['content-range', `*/${isCounted(request) ? shown : '*'}`]
}

/** What a write does is not planned. */
function isCounted({ preferences: { count } }: ParsedRequest): boolean {
  return count === 'exact' || count === 'estimated'
}

function addPreferences(headers: [string, string][], applied: string | null) {
  if (applied !== null) headers.push(['preference-applied', applied])
}

function locationQuery(key: [string, string | null][]): string {
  return key
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`,
    )
    .join('&')
}

function bodyOf(form: string, body: string): string | Buffer {
  return form === 'binary' ? Buffer.from(body, 'base64') : body
}
