// Limits values of types that are always short. Postgres echoes a value it cannot parse in its error and its log, so a
// megabyte-long uuid must not get there.
import { restErrors } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'
import type { Plan, PlannedCondition, ReadNode } from '#rest/plan/plan-types.ts'
import type { ParsedRequest } from '#rest/request/parse-request.ts'
import type { ValueIndex } from '#rest/request/request-types.ts'
import { valueIndexes } from '#rest/request/request-values.ts'

/** A value of the query string or a form by index, or every value of a key in a JSON body. */
export type ShortValue = { type: string } & ({ value: ValueIndex } | { key: string })

/** Types that accept any text, or do not echo what they cannot parse. */
const LONG_TYPES = new Set([
  'text',
  'character varying',
  'character',
  'bpchar',
  'citext',
  'extensions.citext',
  'json',
  'jsonb',
  'bytea',
])
/** Postgres' limit for arrays. */
const MAX_DIMENSIONS = 6

export function shortValuesOf({ read, write }: Plan): ShortValue[] {
  const found = ofNode(read)
  if (read.source.kind === 'call') {
    const given = read.source.call.arguments
    if (given.kind === 'json')
      found.push(...given.parameters.flatMap(({ name, base }) => ofType(base, { key: name })))
    if (given.kind === 'values')
      found.push(
        ...given.parameters.flatMap(({ base, values }) =>
          values.flatMap((value) => ofType(base, { value })),
        ),
      )
  }
  if (!write) return found
  if (write.kind !== 'insert') found.push(...write.conditions.flatMap(ofCondition))
  if (write.kind === 'delete') return found
  return [...found, ...write.rows.columns.flatMap(({ name, base }) => ofType(base, { key: name }))]
}

function ofNode({ conditions, embeds }: ReadNode): ShortValue[] {
  return [...conditions.flatMap(ofCondition), ...embeds.flatMap(({ node }) => ofNode(node))]
}

function ofCondition(condition: PlannedCondition): ShortValue[] {
  if (condition.kind === 'tree') return condition.branches.flatMap(ofCondition)
  if (condition.kind !== 'filter' || condition.operation.kind === 'is') return []
  const { field, operation } = condition
  // For an array column the operand is one string; the query string's length limits it.
  if (field.base === null || field.path.length > 0 || field.base.endsWith('[]')) return []
  return ofType(field.base, { value: operation.value })
}

function ofType(base: string, where: { value: ValueIndex } | { key: string }): ShortValue[] {
  const isList = base.endsWith('[]')
  return !isList && LONG_TYPES.has(base) ? [] : [{ type: base, ...where }]
}

/** @throws ServiceError 400 for a value too long to be valid */
export function rejectLongValues(short: readonly ShortValue[], request: ParsedRequest): void {
  if (short.length === 0) return
  for (const each of short) {
    if (!('value' in each)) continue
    const { length, text } = valueAt(request, each.value)
    if (length > LIMITS.valueBytes) throw restErrors.valueTooLong(each.type, text)
  }
  const { body } = request
  if (body?.kind === 'json' && body.text.length > LIMITS.valueBytes) rejectLongJson(short, body)
}

/** The length of a list is that of its longest element. */
function valueAt(request: ParsedRequest, index: ValueIndex): { length: number; text: string } {
  const { query, body } = request
  const length = query.longest[index]
  if (length !== undefined) return { length, text: query.values[index] ?? '' }
  const pairs = body?.kind === 'form' ? body.pairs : []
  const text = pairs[index - valueIndexes(request).body]?.value ?? ''
  return { length: text.length, text }
}

function rejectLongJson(
  short: readonly ShortValue[],
  { parsed, text }: { parsed: unknown; text: string },
): void {
  const rows = (Array.isArray(parsed) ? parsed : [parsed]) as unknown[]
  for (const row of rows) {
    if (typeof row !== 'object' || row === null) continue
    for (const each of short) {
      if (!('key' in each)) continue
      const element = each.type.replace(/(\[\])+$/, '')
      const isLong = element === each.type || !LONG_TYPES.has(element) ? isLongAnywhere : isLongText
      const value = (row as Record<string, unknown>)[each.key]
      if (isLong(value)) throw restErrors.valueTooLong(each.type, textOf(value))
    }
  }
  if (hasLongNumber(text)) throw restErrors.invalidBody('A number in the body is too long')
}

function isLongText(value: unknown): boolean {
  return typeof value === 'string' && value.length > LIMITS.valueBytes
}

function isLongAnywhere(value: unknown, depth = 0): boolean {
  if (!Array.isArray(value)) return isLongText(value)
  return (
    depth >= MAX_DIMENSIONS ||
    (value as unknown[]).some((element) => isLongAnywhere(element, depth + 1))
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '…'
}

const NUMBER_CODES = new Set([...'0123456789.eE+-'].map((char) => char.charCodeAt(0)))
const QUOTE = 34

/** Whether a number outside the JSON's strings is longer than a value may be. */
function hasLongNumber(json: string): boolean {
  let length = 0
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) index = endOfString(json, index)
    length = NUMBER_CODES.has(code) ? length + 1 : 0
    if (length > LIMITS.valueBytes) return true
  }
  return false
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end
}

function isEscaped(json: string, index: number): boolean {
  let slashes = 0
  while (json[index - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
