import Papa from 'papaparse'

/** One row of a table, or one line: its cells, and the line as it was written. */
export type PastedRecord = { cells: string[]; line: string }

export const SEPARATORS = ['\t', ';', ','] as const

/**
 * The rows of a text whose cells are so separated. Quoted cells may hold separators and line breaks. A quote that
 * is no cell's, as in `"Ortiz, Maya" <maya@example.com>`, leaves every line a row of its own.
 */
export function splitRecords(text: string, separator: string): PastedRecord[] {
  const records =
    parse(text, separator) ?? text.split('\n').map((line) => recordOf(line, separator))
  return records.filter(({ cells }) => cells.some((cell) => cell.trim()))
}

function recordOf(line: string, separator: string): PastedRecord {
  return { cells: parse(line, separator)?.[0]?.cells ?? line.split(separator), line }
}

function parse(text: string, separator: string): PastedRecord[] | undefined {
  const records: PastedRecord[] = []
  let from = 0
  let isSound = true
  Papa.parse<string[]>(text, {
    delimiter: separator,
    newline: '\n',
    step({ data, errors, meta }, parser) {
      if (errors.some(({ type }) => type === 'Quotes')) {
        isSound = false
        return parser.abort()
      }
      records.push({ cells: data, line: text.slice(from, meta.cursor).trim() })
      from = meta.cursor
    },
  })
  return isSound ? records : undefined
}
