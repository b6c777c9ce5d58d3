// Parses the query string into select, filters, order and ranges.
import { restErrors } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'
import { parseTreeAt } from './parse-conditions.ts'
import { parseFieldAt } from './parse-field.ts'
import { hasOperator, parseOperation } from './parse-filter.ts'
import { parseOrder } from './parse-order.ts'
import { parseNames, parseSelect } from './parse-select.ts'
import { queryPairs } from './query-pairs.ts'
import type { At, Condition, Field, QueryString, Range } from './request-types.ts'
import { Scanner } from './scanner.ts'
import { ValueList } from './value-list.ts'

export type ParsedQueryString = QueryString & {
  values: readonly (string | null)[]
  /** For each value, the length of its longest element. */
  longest: readonly number[]
  /** The same for all query strings that differ only in values. */
  shape: string
}

/** Read by the gateway; not a filter. */
const GATEWAY_PARAMETER = 'apikey'
const MAX_RANGE = 9_007_199_254_740_991

/** @param forFunction for functions called with GET, parameters without an operator are arguments */
export function parseQueryString(text: string, forFunction: boolean): ParsedQueryString {
  const values = new ValueList()
  const query: QueryString = {
    select: [],
    filters: [],
    trees: [],
    orders: [],
    ranges: [],
    columns: null,
    onConflict: null,
    params: [],
  }
  let select: string | null = null
  const ranges = new RangeParameters()
  for (const { name, value } of queryPairs(text)) {
    if (name === 'select') select ??= value
    else if (name === 'columns') query.columns ??= [...new Set(parseNames(value, name))].sort()
    else if (name === 'on_conflict') query.onConflict ??= parseNames(value, name)
    else if (name === GATEWAY_PARAMETER) continue
    else parseEmbeddable(name, value, { query, values, ranges, forFunction })
  }
  query.select = parseSelect(select || '*')
  checkQueryLimits(query)
  const shape = JSON.stringify(query)
  // Ranges are added after the shape, because offsets are values.
  query.ranges = ranges.toList(values)
  return {
    ...query,
    values: values.values,
    longest: values.longest,
    shape: `${shape}${JSON.stringify(query.ranges, shapeOfRange)}`,
  }
}

function checkQueryLimits({ filters, trees, orders }: QueryString): void {
  const conditions = trees.reduce((sum, { what }) => sum + countFilters(what), filters.length)
  if (conditions > LIMITS.filters) throw restErrors.overLimit('filters', LIMITS.filters)
  const terms = orders.reduce((sum, { what }) => sum + what.length, 0)
  if (terms > LIMITS.orderTerms) throw restErrors.overLimit('order terms', LIMITS.orderTerms)
}

function countFilters(condition: Condition): number {
  if (condition.kind === 'filter') return 1
  return condition.branches.reduce((sum, branch) => sum + countFilters(branch), 0)
}

const shapeOfRange = (key: string, value: unknown) => (key === 'offsetNumber' ? undefined : value)

type Target = {
  query: QueryString
  values: ValueList
  ranges: RangeParameters
  forFunction: boolean
}

/** Parameters whose name can start with a path to an embedded resource. */
function parseEmbeddable(
  name: string,
  value: string,
  { query, values, ranges, forFunction }: Target,
) {
  const last = name.slice(name.lastIndexOf('.') + 1)
  switch (last) {
    case 'order':
      if (value.trim() !== '') query.orders.push({ path: pathOf(name), what: parseOrder(value) })
      return
    case 'limit':
    case 'offset':
      ranges.add(pathOf(name), last, value)
      return
    case 'and':
    case 'or':
      query.trees.push(parseTreeAt(name, value, values))
      return
  }
  if (forFunction && !hasOperator(value)) {
    query.params.push({ name, value: values.add(value) })
    return
  }
  const at: At<Field> = fieldAt(name)
  query.filters.push({
    path: at.path,
    what: { kind: 'filter', field: at.what, ...parseOperation(value, values) },
  })
}

function fieldAt(name: string): At<Field> {
  const scanner = new Scanner(name, 'tree path')
  const at = parseFieldAt(scanner)
  if (!scanner.atEnd) scanner.fail('field name (* or [a..z0..9_$])')
  return at
}

function pathOf(name: string): string[] {
  return name.includes('.') ? fieldAt(name).path : []
}

/** Limits and offsets of the root and embedded resources. Anything that is not an integer is ignored. */
class RangeParameters {
  private readonly byPath = new Map<string, { path: string[]; limit?: number; offset?: number }>()

  add(path: string[], kind: 'limit' | 'offset', text: string) {
    if (!/^-?\d+$/.test(text.trim())) return
    const number = Math.min(Number(text), MAX_RANGE)
    if (kind === 'limit' && number < 0) {
      throw restErrors.invalidRange('Limit should be greater than or equal to zero.')
    }
    const key = JSON.stringify(path)
    const entry = this.byPath.get(key) ?? { path }
    entry[kind] = Math.max(0, number)
    this.byPath.set(key, entry)
  }

  toList(values: ValueList): At<Range>[] {
    return [...this.byPath.values()].map(({ path, limit, offset = 0 }) => ({
      path,
      what: {
        limit: limit ?? null,
        offset: offset > 0 ? values.add(String(offset)) : null,
        offsetNumber: offset,
      },
    }))
  }
}
