import { columnFinder } from './column-finder.ts'
import { hasMeantAddress } from './find-addresses.ts'
import { columnsByTitle } from './find-columns.ts'
import type { PastedList } from './people.ts'
import { readLine } from './read-line.ts'
import { readLines } from './read-lines.ts'
import { readRow } from './read-row.ts'
import { SEPARATORS, splitRecords, type PastedRecord } from './split-records.ts'

const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085\v\f]/g
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
// Zero-width and direction marks, soft hyphens, control characters. The two joiners stay: names in some scripts need them.
const INVISIBLE =
  /[\u0000-\u0008\u000e-\u001f\u007f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffc]/g
// Of a page's source. What else stands in angle brackets may be an address or a name.
const HTML_LINE = /<\/?(?:br|div|h[1-6]|li|p|tr)(?:\s[^<>@]*)?\/?>/gi
const HTML_CELL = /<\/t[dh](?:\s[^<>@]*)?>/gi
const HTML_INLINE = /<\/?(?:a|b|em|font|i|mark|small|span|strong|t[dh]|u)(?:\s[^<>@]*)?>/gi

/** Titles stand above the first rows, below a heading at most. */
const DEEPEST_TITLES = 10

/**
 * Finds people in whatever was pasted: rows of a spreadsheet or a CSV file with columns in any order, the
 * recipients of a mail, or lines of text. Everybody found is listed, also twice, in the order of the text.
 */
export function readPeople(pasted: string): PastedList {
  const text = cleanText(pasted)
  const table = SEPARATORS.map((separator) => asTable(text, separator)).sort(
    (a, b) => b.score - a.score,
  )[0]
  if (!table || table.score === 0) return readLines(text.split('\n'))
  return readTable(table)
}

type Table = { records: PastedRecord[]; separator: string; titles: number; score: number }

/** The text with this separator, and how much of it makes sense as a table. */
function asTable(text: string, separator: string): Table {
  if (!text.includes(separator)) return { records: [], separator, titles: -1, score: 0 }
  const records = splitRecords(text, separator)
  const titles = records
    .slice(0, DEEPEST_TITLES)
    .findIndex(({ cells }) => cells.length > 1 && columnsByTitle(cells))
  const isTitled = titles >= 0 && !records.slice(0, titles).some(({ line }) => line.includes('@'))
  const rows = records.filter(({ cells }) => isRow(cells, separator)).length
  return {
    records,
    separator,
    titles: isTitled ? titles : -1,
    score: rows + (isTitled ? records.length : 0),
  }
}

/** An address in a cell of its own, next to other cells. With tabs any two cells are a row. */
function isRow(cells: string[], separator: string): boolean {
  const filled = cells.filter((cell) => cell.trim())
  if (filled.length < 2) return false
  if (separator === '\t') return true
  const addressed = filled.filter(hasMeantAddress)
  const isMixed = addressed.length > 0 && addressed.length < filled.length
  return isMixed && addressed.every(isOnlyAddress) && !isChain(filled)
}

const isOnlyAddress = (cell: string) => /^[\s<"']*[^\s,;<>]+[\s>"']*$/.test(cell)

/** `Maya, maya@example.com, Noah, noah@example.com`: several people in one line. */
function isChain(filled: string[]): boolean {
  const pattern = filled.map((cell) => (cell.includes('@') ? '@' : 'n')).join('')
  return /^n+@n+@|^@n+@n+/.test(pattern)
}

function readTable({ records, separator, titles }: Table): PastedList {
  const list: PastedList = { people: [], leftOut: [] }
  const head = records[titles]
  const body = records
    .slice(titles + 1)
    .filter(({ line }) => line !== head?.line)
    .map((record) => (head ? withWholeName(record, head.cells, separator) : record))
  const isInTable = ({ cells }: PastedRecord) =>
    cells.length === head?.cells.length || isRow(cells, separator)
  const columnsOf = columnFinder(
    body.filter(isInTable).map(({ cells }) => cells),
    head?.cells,
  )
  for (const record of body) {
    const { cells, line } = record
    const isOfTable = isInTable(record) || isNameless(cells)
    const found = isOfTable ? readRow(cells, columnsOf(cells)) : readLine(line)
    list.people.push(...found)
    if (found.length === 0) list.leftOut.push(line)
  }
  return list
}

const ONE_WORD = /^\p{L}[\p{L}'’-]*$/u
const GIVEN_NAME = /^\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*)?$/u

/**
 * `Ortiz, Maya,maya@example.com` below `Name,Email`: a name that holds the separator, without quotes. Where there are other
 * columns, the separator may as well be theirs.
 */
function withWholeName(record: PastedRecord, titles: string[], separator: string): PastedRecord {
  const { cells } = record
  const surplus = cells.length - titles.length
  if (separator === '\t' || surplus < 1) return record
  const { full, emails = [] } = columnsByTitle(titles) ?? {}
  if (full === undefined || titles.length > emails.length + 1) return record
  const [lastName = '', ...rest] = cells.slice(full, full + surplus + 1).map((cell) => cell.trim())
  if (!ONE_WORD.test(lastName) || !rest.every((cell) => GIVEN_NAME.test(cell))) return record
  const name = [lastName, ...rest].join(', ')
  return { ...record, cells: [...cells.slice(0, full), name, ...cells.slice(full + surplus + 1)] }
}

/** A row of the table whose address is missing. */
const isNameless = (cells: string[]) =>
  cells.length > 1 && !cells.some((cell) => cell.includes('@'))

/** Pasted text with plain line ends and spaces, without HTML tags, invisible characters and `mailto:`. */
function cleanText(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(HTML_LINE, '\n')
    .replace(HTML_CELL, '\t')
    .replace(HTML_INLINE, '')
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(/mailto:/gi, '')
    .normalize('NFC')
}
