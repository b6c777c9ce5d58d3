// `order=name.desc.nullslast,author(last_name)`.
import { LIMITS } from '#rest/limits.ts'
import { parseField, tryName } from './parse-field.ts'
import type { OrderTerm } from './request-types.ts'
import { Scanner } from './scanner.ts'

export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order')
  const terms: OrderTerm[] = []
  do {
    scanner.skipBlanks()
    scanner.count('order terms', LIMITS.orderTerms)
    terms.push(parseTerm(scanner))
    scanner.skipBlanks()
  } while (scanner.take(','))
  if (!scanner.atEnd) scanner.fail('"," or end of input')
  return terms
}

function parseTerm(scanner: Scanner): OrderTerm {
  const relation = scanner.attempt(() => {
    const name = tryName(scanner)
    return name !== null && scanner.take('(') ? name : null
  })
  const field = parseField(scanner)
  if (relation !== null) scanner.expect(')')
  const direction = scanner.take('.asc') ? 'asc' : scanner.take('.desc') ? 'desc' : null
  const nulls = scanner.take('.nullsfirst') ? 'first' : scanner.take('.nullslast') ? 'last' : null
  scanner.skipBlanks()
  if (!scanner.atEnd && scanner.peek() !== ',') failAfter(scanner, direction, nulls)
  return { relation, field, direction, nulls }
}

function failAfter(
  scanner: Scanner,
  direction: OrderTerm['direction'],
  nulls: OrderTerm['nulls'],
): never {
  if (nulls !== null) scanner.failAtEnd('"," or end of input')
  if (!scanner.take('.')) scanner.failAtEnd('delimiter (.), "," or end of input')
  if (direction !== null) scanner.fail('"nullsfirst" or "nullslast"', 'nullsfirst')
  scanner.fail('"asc", "desc", "nullsfirst" or "nullslast"')
}
