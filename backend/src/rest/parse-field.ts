// Names of columns and paths into JSON, as they stand in select, filters and order.
import type { Field, JsonStep } from './request-types.ts'
import type { Scanner } from './scanner.ts'

// A name may hold letters of any script, digits, blanks, _ and $; a dash too, unless it begins an arrow.
const NAME = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy
// Stands in the statement unquoted (`double precision`), so it can hold nothing but words.
const WORDS = /[A-Za-z_][A-Za-z0-9_ ]*/y
const JSON_KEY = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/uy
const JSON_INDEX = /-?\d{1,9}(?=->|::|[.,)]|$)/uy
const QUOTED = /"((?:[^"\\]|\\[^])*)"/uy

/** Text between double quotes, where a backslash takes the next character as it is. */
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

/** The name of a type behind `::`, or of a text search configuration. */
export function parseIdentifier(scanner: Scanner): string {
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
    const arrow = scanner.take('->>') ? '->>' : '->'
    if (arrow === '->') scanner.expect('->')
    const index = scanner.match(JSON_INDEX)
    if (index !== null) {
      steps.push({ arrow, key: index, isIndex: true })
      continue
    }
    const key = scanner.peek() === '"' ? parseQuoted(scanner) : scanner.match(JSON_KEY)?.trim()
    if (key == null) scanner.fail('any non reserved character different from: .,>()')
    steps.push({ arrow, key, isIndex: false })
  }
  return steps
}

/** `embed.embed.column->path`: where a filter applies, and to what. */
export function parseFieldAt(scanner: Scanner): { path: string[]; what: Field } {
  const names = [parseName(scanner)]
  while (scanner.take('.')) names.push(parseName(scanner))
  const path = parseJsonPath(scanner)
  const name = names.pop() ?? ''
  return { path: names, what: { name, path } }
}
