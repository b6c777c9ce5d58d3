// `eq.5`, `not.in.(1,2)`, `fts(english).cat`: operators and operands. Values are collected in the ValueList.
import { parseIdentifier, parseQuoted } from './parse-field.ts'
import type { Filter, Operation, Quantifier } from './request-types.ts'
import { Scanner } from './scanner.ts'
import type { ValueList } from './value-list.ts'

/** Operators that compare with one value, or with `any` or `all` of several. */
const QUANTIFIED = new Set(['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch'])
/** Operators that compare with one value only. */
const PLAIN = new Set(['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'])
const SEARCHES = new Set(['fts', 'plfts', 'phfts', 'wfts'])
const WORD = /[a-z]+/y
const IS_VALUE = /not_null|null|true|false|unknown/iy
const EXPECTED = '"not" or operator (eq, gt, ...)'

type ReadValue = (scanner: Scanner) => string

/** A filter from the query string: its value is everything after the operator. */
export function parseOperation(text: string, values: ValueList): Omit<Filter, 'field' | 'kind'> {
  const scanner = new Scanner(text, 'filter')
  const operation = readOperation(scanner, values, (rest) => rest.rest())
  if (!scanner.atEnd) scanner.fail('end of input')
  return operation
}

/** Whether the text starts with an operator; for functions, anything else is an argument. */
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
    scanner.fail(EXPECTED, 'not')
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
    return { kind: 'in', value: values.addList(readList(scanner)) }
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
  // PostgREST accepts * for %, which would need escaping in a URL.
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
  // `()` is the empty list; `("")` is a list with the empty string.
  return elements.length === 1 && elements[0] === '' && scanner.text[scanner.position - 2] !== '"'
    ? []
    : elements
}

/** A quoted string that spans the element, or everything up to the next comma or parenthesis. */
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

/** In and/or trees a value ends at a comma or parenthesis, unless it is in quotes or braces. */
export function readValueInTree(scanner: Scanner): string {
  return quotedElement(scanner) ?? scanner.match(/\{[^{}]*\}/uy) ?? scanner.match(/[^,)]*/uy) ?? ''
}
