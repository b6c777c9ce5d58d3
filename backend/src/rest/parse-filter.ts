// `eq.5`, `not.in.(1,2)`, `fts(english).cat`: what a column is compared with. Values go to the list of values.
import { parseIdentifier, parseQuoted } from './parse-field.ts'
import type { Filter, Operation, Quantifier } from './request-types.ts'
import { Scanner } from './scanner.ts'
import { arrayLiteral, type ValueList } from './value-list.ts'

/** Operators that compare with one value; the first ones may be asked of `any` or `all` of several. */
const QUANTIFIED = new Set(['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch'])
const PLAIN = new Set(['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'])
const SEARCHES = new Set(['fts', 'plfts', 'phfts', 'wfts'])
const WORD = /[a-z]+/y
const IS_VALUE = /not_null|null|true|false|unknown/iy
const EXPECTED = '"not" or operator (eq, gt, ...)'

type ReadValue = (scanner: Scanner) => string

/** A filter from the query string: its value is everything behind the operator. */
export function parseOperation(text: string, values: ValueList): Omit<Filter, 'field' | 'kind'> {
  const scanner = new Scanner(text, 'filter')
  const operation = readOperation(scanner, values, (rest) => rest.rest())
  if (!scanner.atEnd) scanner.fail('end of input')
  return operation
}

/** True when the text begins with an operator: on functions everything else is an argument. */
export function hasOperator(text: string): boolean {
  const word = /^(?:not\.)?([a-z]+)(?:\([^)]*\))?\./.exec(text)?.[1]
  return word !== undefined && isOperator(word)
}

function isOperator(word: string): boolean {
  return (
    QUANTIFIED.has(word) ||
    PLAIN.has(word) ||
    SEARCHES.has(word) ||
    word === 'in' ||
    word === 'is' ||
    word === 'isdistinct'
  )
}

export function readOperation(
  scanner: Scanner,
  values: ValueList,
  readValue: ReadValue,
): Omit<Filter, 'field' | 'kind'> {
  const negated = scanner.take('not.')
  const start = scanner.position
  const word = scanner.match(WORD) ?? ''
  if (!isOperator(word)) {
    scanner.position = start
    scanner.fail(EXPECTED)
  }
  return { negated, operation: readOperands(scanner, word, values, readValue) }
}

function readOperands(
  scanner: Scanner,
  word: string,
  values: ValueList,
  readValue: ReadValue,
): Operation {
  if (word === 'in') {
    dot(scanner)
    return { kind: 'in', value: values.add(arrayLiteral(readList(scanner))) }
  }
  if (word === 'is') {
    dot(scanner)
    const what =
      scanner.match(IS_VALUE) ?? scanner.fail('isVal: (null, not_null, true, false, unknown)')
    return { kind: 'is', what: what.toLowerCase() as 'null' }
  }
  if (word === 'isdistinct') {
    dot(scanner)
    return { kind: 'isdistinct', value: values.add(readValue(scanner)) }
  }
  if (SEARCHES.has(word)) {
    const language = scanner.take('(') ? parseIdentifier(scanner) : null
    if (language !== null) scanner.expect(')')
    dot(scanner)
    return { kind: 'search', function: word, language, value: values.add(readValue(scanner)) }
  }
  const quantifier = QUANTIFIED.has(word) ? readQuantifier(scanner) : null
  dot(scanner)
  const value = readValue(scanner)
  const isPattern = word === 'like' || word === 'ilike'
  // In a URL a percent sign is awkward, so patterns may say * instead.
  return {
    kind: 'compare',
    operator: word,
    quantifier,
    value: values.add(isPattern ? value.replaceAll('*', '%') : value),
  }
}

function readQuantifier(scanner: Scanner): Quantifier {
  if (scanner.take('(any)')) return 'any'
  return scanner.take('(all)') ? 'all' : null
}

function dot(scanner: Scanner): void {
  if (!scanner.take('.')) scanner.fail('delimiter (.)')
}

function readList(scanner: Scanner): string[] {
  scanner.skipBlanks()
  scanner.expect('(')
  scanner.skipBlanks()
  const elements: string[] = []
  do elements.push(readElement(scanner))
  while (scanner.take(','))
  scanner.skipBlanks()
  scanner.expect(')')
  scanner.skipBlanks()
  // `()` is a list without elements; `("")` is how to ask for the empty text.
  return elements.length === 1 && elements[0] === '' && scanner.text[scanner.position - 2] !== '"'
    ? []
    : elements
}

/** A quoted text that ends where the element ends, or everything up to the next comma or bracket. */
function readElement(scanner: Scanner): string {
  return quotedElement(scanner) ?? scanner.match(/[^,)]*/uy) ?? ''
}

function quotedElement(scanner: Scanner): string | null {
  if (scanner.peek() !== '"') return null
  return scanner.attempt(() => {
    const quoted = parseQuoted(scanner)
    const next = scanner.peek()
    return quoted !== null && (next === '' || next === ',' || next === ')') ? quoted : null
  })
}

/** Inside and/or trees a value ends at a comma or bracket, unless quotes or braces hold it together. */
export function readValueInTree(scanner: Scanner): string {
  return quotedElement(scanner) ?? scanner.match(/\{[^{}]*\}/uy) ?? scanner.match(/[^,)]*/uy) ?? ''
}
