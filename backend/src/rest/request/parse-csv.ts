// Parses RFC 4180 CSV with a header line into rows of strings.
import { restErrors } from '#rest/errors.ts'
import { LIMITS } from '#rest/limits.ts'

/** @throws PGRST100 for more rows than `mostRows`, or more columns than a body has names: what follows is not read */
export function parseCsv(text: string, mostRows: number): { columns: string[]; rows: string[][] } {
  const lines = readLines(text, mostRows + 1)
  const columns = lines.shift()
  if (!columns) throw restErrors.invalidBody('not enough input')
  if (lines.some((line) => line.length !== columns.length)) {
    throw restErrors.invalidBody('All lines must have same number of fields')
  }
  return { columns, rows: lines }
}

const CELL = /"([^"]*(?:""[^"]*)*)"|([^",\r\n]*)/y

function readLines(text: string, mostLines: number): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  let position = text.startsWith('\uFEFF') ? 1 : 0
  while (position < text.length) {
    if (lines.length === mostLines) throw restErrors.overLimit('rows in the body', mostLines - 1)
    if (line.length > LIMITS.bodyKeys)
      throw restErrors.overLimit('names in the body', LIMITS.bodyKeys)
    CELL.lastIndex = position
    const cell = CELL.exec(text)
    if (!cell) throw restErrors.invalidBody('parse error (not enough input)')
    position += cell[0].length
    line.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '')
    const next = text[position]
    if (next === ',') {
      position++
      if (position === text.length) line.push('')
      continue
    }
    if (next !== undefined && next !== '\n' && next !== '\r') {
      throw restErrors.invalidBody(`parse error (unexpected ${JSON.stringify(next)})`)
    }
    position += text.startsWith('\r\n', position) ? 2 : 1
    lines.push(line)
    line = []
  }
  if (line.length > 0) lines.push(line)
  return lines
}
