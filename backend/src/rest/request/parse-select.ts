// `select=id,author:users!inner(name),...details(*)`: the columns and embedded resources to return.
import { LIMITS } from '#rest/limits.ts'
import { parseField, parseIdentifier, parseName, tryName } from './parse-field.ts'
import type { AggregateName, ColumnItem, EmbedItem, SelectItem } from './request-types.ts'
import { Scanner } from './scanner.ts'

const AGGREGATE = /\.(sum|avg|count|max|min)\(\)/uy

export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, 'select parameter')
  const items = parseItems(scanner)
  if (!scanner.atEnd) scanner.fail('"," or end of input')
  return items
}

function parseItems(scanner: Scanner): SelectItem[] {
  const items: SelectItem[] = []
  if (scanner.atEnd || scanner.peek() === ')') return items
  do {
    scanner.skipBlanks()
    scanner.count('selected columns', LIMITS.selectedItems)
    items.push(parseItem(scanner))
    scanner.skipBlanks()
  } while (scanner.take(','))
  return items
}

function parseItem(scanner: Scanner): SelectItem {
  const embed = scanner.attempt(() => tryEmbedHead(scanner))
  if (!embed) return parseColumn(scanner)
  scanner.expect('(')
  embed.items = scanner.nested(() => parseItems(scanner))
  scanner.expect(')')
  return embed
}

/** An embedded resource up to its opening parenthesis. `count()` alone is an aggregate. */
function tryEmbedHead(scanner: Scanner): EmbedItem | null {
  const spread = scanner.take('...')
  const alias = spread ? null : tryAlias(scanner)
  const relation = tryName(scanner)
  if (relation === null || (relation === 'count' && !spread)) return null
  let hint: string | null = null
  let join: EmbedItem['join'] = null
  for (let index = 0; index < 2 && scanner.take('!'); index++) {
    const isQuoted = scanner.peek() === '"'
    const word = tryName(scanner)
    if (word === null) return null
    if (!isQuoted && (word === 'inner' || word === 'left')) join ??= word
    else hint ??= word
  }
  if (scanner.peek() !== '(') return null
  return { kind: 'embed', relation, alias, hint, join, spread, items: [] }
}

function tryAlias(scanner: Scanner): string | null {
  return scanner.attempt(() => {
    const name = tryName(scanner)
    if (name === null || scanner.startsWith('::') || !scanner.take(':')) return null
    return name
  })
}

function parseColumn(scanner: Scanner): ColumnItem {
  if (scanner.take('*')) {
    expectEnd(scanner)
    return column({ field: { name: '*', path: [] } })
  }
  const alias = tryAlias(scanner)
  if (scanner.take('count()')) {
    const aggregateCast = scanner.take('::') ? parseIdentifier(scanner) : null
    expectEnd(scanner)
    return column({ field: { name: '*', path: [] }, aggregate: 'count', aggregateCast, alias })
  }
  const field = parseField(scanner)
  const cast = scanner.take('::') ? parseIdentifier(scanner) : null
  const aggregate = (scanner.match(AGGREGATE)?.slice(1, -2) ?? null) as AggregateName | null
  const aggregateCast = aggregate && scanner.take('::') ? parseIdentifier(scanner) : null
  expectEnd(scanner)
  return column({ field, cast, aggregate, aggregateCast, alias })
}

function column(fields: Partial<ColumnItem> & Pick<ColumnItem, 'field'>): ColumnItem {
  return {
    kind: 'column',
    cast: null,
    aggregate: null,
    aggregateCast: null,
    alias: null,
    ...fields,
  }
}

function expectEnd(scanner: Scanner): void {
  scanner.skipBlanks()
  if (!scanner.atEnd && scanner.peek() !== ',' && scanner.peek() !== ')') {
    scanner.failAtEnd('"->", "::", ".", ")", "," or end of input')
  }
}

/** `columns=a,b` and `on_conflict=a,b`. */
export function parseNames(text: string, parameter: string): string[] {
  const scanner = new Scanner(text, `${parameter} parameter`)
  const names: string[] = []
  do {
    scanner.skipBlanks()
    scanner.count('names', LIMITS.bodyKeys)
    names.push(parseName(scanner))
    scanner.skipBlanks()
  } while (scanner.take(','))
  if (!scanner.atEnd) scanner.fail('"," or end of input')
  return names
}
