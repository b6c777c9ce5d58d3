import { columnKind, isOtherTitle } from './column-titles.ts'
import { findAddresses, hasAddress, hasMeantAddress } from './find-addresses.ts'
import { nameText } from './read-name.ts'

/** The places of what an invitation needs. Several columns of addresses are in the order in which they count. */
export type Columns = {
  emails: number[]
  /** In columns of their own; two last names are used in Latin America. */
  firsts: number[]
  lasts: number[]
  full: number | undefined
}

/** What the titles of a table say, or undefined where this row has none. */
export function columnsByTitle(cells: string[]): Columns | undefined {
  if (cells.some((cell) => hasAddress(cell))) return undefined
  const kinds = cells.map(columnKind)
  const places = (...wanted: (string | undefined)[]) =>
    kinds.flatMap((kind, place) => (wanted.includes(kind) ? [place] : []))
  const lasts = places('last')
  const firsts = lasts.length > 0 ? places('first', 'name') : places('first')
  const [full] = lasts.length > 0 ? places('full') : places('full', 'name')
  const columns = { emails: places('email'), firsts, lasts, full }
  const found = kinds.filter(Boolean).length
  const isTitled = columns.emails.length > 0 || found > 1
  return isTitled ? columns : undefined
}

/** What the rows themselves say: where addresses stand, and which other columns look like names. */
export function columnsByContent(rows: string[][], titles: string[] = []): Columns {
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  const places = Array.from({ length: width }, (_, place) => place)
  const cellsAt = (place: number) => rows.map((cells) => cells[place]?.trim() ?? '')
  const complete = places.filter((place) => isMostly(cellsAt(place), hasAddress))
  const emails =
    complete.length > 0
      ? complete
      : places.filter((place) => isMostly(cellsAt(place), hasMeantAddress))
  const names = places.filter(
    (place) =>
      !emails.includes(place) &&
      !isOtherTitle(titles[place] ?? '') &&
      isMostly(cellsAt(place), looksLikeName) &&
      isVaried(cellsAt(place)),
  )
  const hints = rows.map((cells) => localPartOf(cells, emails))
  const hinted = names.filter(
    (place) => share(rows, (cells, at) => appearsIn(cells[place], hints[at])) >= 0.3,
  )
  const others = places.filter((place) => !emails.includes(place))
  const [one, two] = hinted.length > 1 ? hinted : withNeighbor(hinted[0], names, others, cellsAt)
  if (one === undefined) return { emails, firsts: [], lasts: [], full: undefined }
  if (two === undefined) return { emails, firsts: [], lasts: [], full: one }
  const isSwapped = orderScore(rows, hints, two, one) > orderScore(rows, hints, one, two)
  return {
    emails,
    firsts: [isSwapped ? two : one],
    lasts: [isSwapped ? one : two],
    full: undefined,
  }
}

const ANSWER =
  /^(?:yes|no|s[ií]|true|false|verdadero|falso|x|ok|n\/a|na|active|activo|pending|pendiente|male|female|[mf])$/i

function looksLikeName(cell: string): boolean {
  if (cell.length > 60 || /[\d@$%]/.test(cell) || ANSWER.test(cell)) return false
  const words = nameText(cell).split(' ')
  return words[0] !== '' && words.length <= 6
}

/** Not a state or a status: the same few words again and again, or two letters. */
function isVaried(cells: string[]): boolean {
  const filled = cells.filter(Boolean)
  if (filled.length > 1 && filled.every((cell) => /^[A-Z]{2}$/.test(cell))) return false
  return filled.length < 6 || new Set(filled).size > filled.length / 3
}

/** Where the addresses name at most one column: the one beside it completes it, unless it holds whole names. */
function withNeighbor(
  hinted: number | undefined,
  names: number[],
  others: number[],
  cellsAt: (place: number) => string[],
): (number | undefined)[] {
  const start = hinted ?? names[0]
  if (start === undefined) return []
  if (isMostly(cellsAt(start), (cell) => /[\s,]/.test(cell))) return [start]
  const at = others.indexOf(start)
  const beside = [others[at + 1], others[at - 1]].find((place) => names.includes(place ?? -1))
  return beside === undefined ? [start] : [start, beside].sort((a, b) => a - b)
}

function isMostly(cells: string[], test: (cell: string) => boolean): boolean {
  const filled = cells.filter(Boolean)
  return filled.length > 0 && filled.filter(test).length * 2 >= filled.length
}

function share(rows: string[][], test: (cells: string[], at: number) => boolean): number {
  return rows.filter(test).length / rows.length
}

function localPartOf(cells: string[], emails: number[]): string {
  const [email = ''] = emails.flatMap((place) =>
    findAddresses(cells[place] ?? '').map(({ email }) => email),
  )
  return plain(email.split('@')[0] ?? '')
}

/** Letters only, without accents. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '')
}

function appearsIn(cell = '', localPart = ''): boolean {
  return nameText(cell)
    .split(/[\s,-]+/)
    .map(plain)
    .some((word) => word.length > 2 && localPart.includes(word))
}

/** How many addresses are made of these two, the first name first: maya.ortiz@, mortiz@, mayao@. */
function orderScore(rows: string[][], hints: string[], first: number, last: number): number {
  return rows.filter((cells, at) => {
    const [one, two] = [plain(nameText(cells[first] ?? '')), plain(nameText(cells[last] ?? ''))]
    const hint = hints[at]
    return (
      one &&
      two &&
      hint &&
      [one + two, one.charAt(0) + two, one + two.charAt(0)].some((made) => hint.startsWith(made))
    )
  }).length
}
