// The query string as filters, order, ranges and the shape of the reply.
import { parseFieldAt } from './parse-field.ts'
import { parseTreeAt } from './parse-conditions.ts'
import { hasOperator, parseOperation } from './parse-filter.ts'
import { parseOrder } from './parse-order.ts'
import { parseNames, parseSelect } from './parse-select.ts'
import { queryPairs } from './query-pairs.ts'
import type { At, Field, QueryString, Range } from './request-types.ts'
import { restErrors } from './errors.ts'
import { Scanner } from './scanner.ts'
import { ValueList } from './value-list.ts'

export type ParsedQueryString = QueryString & {
  values: readonly (string | null)[]
  /** The same for all query strings that differ in values alone. */
  shape: string
}

/** The gateway takes the key from here; it means nothing to the tables. */
const GATEWAY_PARAMETER = 'apikey'
const MAX_RANGE = 9_007_199_254_740_991

/** @param forFunction functions called by GET take parameters without an operator as arguments */
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
  query.select = parseSelect(select ?? '*')
  const shape = JSON.stringify(query)
  // Offsets are values: they come behind the shape of everything that is not.
  query.ranges = ranges.toList(values)
  return {
    ...query,
    values: values.values,
    shape: `${shape}${JSON.stringify(query.ranges, shapeOfRange)}`,
  }
}

const shapeOfRange = (key: string, value: unknown) => (key === 'offsetNumber' ? undefined : value)

type Target = {
  query: QueryString
  values: ValueList
  ranges: RangeParameters
  forFunction: boolean
}

/** Parameters whose name may begin with a path to an embedded resource. */
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

/** Limits and offsets of the outermost and the embedded resources. What is no number counts as absent. */
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
