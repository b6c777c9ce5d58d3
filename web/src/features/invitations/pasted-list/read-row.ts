import type { Columns } from './find-columns.ts'
import { findAddresses } from './find-addresses.ts'
import { readLine } from './read-line.ts'
import { readName, readNames } from './read-name.ts'
import type { ReadPerson } from './people.ts'

const NO_ADDRESS = /^(?:-+|n\/?a|none|no|ningun[oa]|no tiene|sin correo|\?+|x)$/i

/** The person in a row of a table; several where a row holds nothing but addresses. */
export function readRow(cells: string[], columns: Columns): ReadPerson[] {
  const at = (place: number) => cells[place] ?? ''
  const written = columns.emails.map(at).filter((cell) => cell.trim())
  const [email, ...others] = [
    ...new Set(written.flatMap((cell) => findAddresses(cell).map((each) => each.email))),
  ]
  const name = nameIn(cells, columns, written)
  if (email === undefined) {
    const attempt = written.map((cell) => cell.trim()).find((cell) => !NO_ADDRESS.test(cell)) ?? ''
    return name.firstName || attempt ? [{ email: attempt.toLowerCase(), others: [], ...name }] : []
  }
  if (name.firstName) return [{ email, others, ...name }]
  return [email, ...others].map((each) => ({ email: each, others: [], ...name }))
}

function nameIn(cells: string[], columns: Columns, written: string[]) {
  const at = (place: number) => cells[place] ?? ''
  const join = (places: number[]) =>
    places
      .map(at)
      .filter((cell) => cell.trim())
      .join(' ')
  const [mailbox] = written.flatMap((cell) => (cell.includes('@') ? readLine(cell) : []))
  const names = [
    mailbox,
    readNames(join(columns.firsts), join(columns.lasts)),
    readName(columns.full === undefined ? '' : at(columns.full)),
  ]
  const { firstName = '', lastName = '' } = names.find((name) => name?.firstName) ?? {}
  return { firstName, lastName }
}
