// Column names and JSON paths, as used in select, filters and order.
import { restErrors } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'
import type { Field, JsonStep } from './request-types.ts'
import type { Scanner } from './scanner.ts'

// Letters of any script, digits, spaces, _ and $; a dash too, unless it starts an arrow.
const NAME = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy
// Goes into the statement unquoted (`double precision`), so it must consist of plain words.
const WORDS = /[A-Za-z_][A-Za-z0-9_ ]*/y
const JSON_KEY = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/uy
const JSON_INDEX = /-?\d{1,9}(?=->|::|[.,)]|$)/uy
const QUOTED = /"((?:[^"\\]|\\[^])*)"/uy

/** Text in double quotes, where a backslash escapes the next character. */
export function parseQuoted(scanner: Scanner): string | null {
  const quoted = scanner.match(QUOTED)
  if (quoted === null) return null
  const inner = quoted.slice(1, -1)
  return inner.includes('\\') ? inner.replace(/\\([^])/gu, '$1') : inner
}

export function tryName(scanner: Scanner): string | null {
  if (scanner.peek() === '"') return parseQuoted(scanner)
  return scanner.match(NAME)?.trim() ?? null
}

export function parseName(scanner: Scanner): string {
  return tryName(scanner) ?? scanner.fail('field name (* or [a..z0..9_$])')
}

/** The name of a type after `::`, or of a text search configuration. */
export function parseIdentifier(scanner: Scanner): string {
  scanner.skipBlanks()
  return scanner.match(WORDS)?.trim() ?? scanner.fail('identifier')
}

/** `a`, `a->b->>c`, `a->0`; the path may be empty. */
export function parseField(scanner: Scanner): Field {
  scanner.skipBlanks()
  const name = parseName(scanner)
  const path = parseJsonPath(scanner)
  scanner.skipBlanks()
  return { name, path }
}

export function parseJsonPath(scanner: Scanner): JsonStep[] {
  const steps: JsonStep[] = []
  while (scanner.startsWith('->')) {
    if (steps.length === LIMITS.jsonSteps)
      throw restErrors.overLimit('JSON steps', LIMITS.jsonSteps)
    const arrow = scanner.take('->>') ? '->>' : '->'
    if (arrow === '->') scanner.expect('->')
    const index = scanner.match(JSON_INDEX)
    if (index !== null) {
      steps.push({ arrow, key: index, isIndex: true })
      continue
    }
    if (scanner.peek() === '-') {
      scanner.take('-')
      scanner.fail('digit')
    }
    const key = scanner.peek() === '"' ? parseQuoted(scanner) : scanner.match(JSON_KEY)?.trim()
    if (key == null) scanner.fail('"-", digit or any non reserved character different from: .,>()')
    steps.push({ arrow, key, isIndex: false })
  }
  return steps
}

/** `embed.embed.column->path`: the embedded resource a filter applies to, and its field. */
export function parseFieldAt(scanner: Scanner): { path: string[]; what: Field } {
  const names = [parseName(scanner)]
  while (scanner.take('.')) names.push(parseName(scanner))
  const path = parseJsonPath(scanner)
  const name = names.pop() ?? ''
  return { path: names, what: { name, path } }
}
