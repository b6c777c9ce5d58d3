import { columnKind } from './column-titles.ts'
import { readLine } from './read-line.ts'
import type { PastedList, ReadPerson } from './people.ts'

/** The people in plain lines, each with their address, or with the address below the name. */
export function readLines(lines: string[]): PastedList {
  const people: ReadPerson[] = []
  const leftOut: string[] = []
  for (const line of lines) {
    if (!line.trim() || isTitle(line)) continue
    const found = readLine(line)
    people.push(...found)
    if (found.length === 0) leftOut.push(line.trim())
  }
  return { people: isInPairs(people) ? paired(people) : people, leftOut }
}

/** The title of a single column. */
const isTitle = (line: string) => !line.includes('@') && columnKind(line) !== undefined

const isName = ({ email }: ReadPerson) => email === ''
const isBare = ({ email, firstName }: ReadPerson) => email !== '' && firstName === ''

function isInPairs(people: ReadPerson[]): boolean {
  return (
    people.length > 0 &&
    people.every((person, at) => (at % 2 === 0 ? isName : isBare)(person)) &&
    people.length % 2 === 0
  )
}

function paired(people: ReadPerson[]): ReadPerson[] {
  return people.flatMap((person, at) => {
    const name = people[at - 1]
    return at % 2 === 1 && name
      ? [{ ...person, firstName: name.firstName, lastName: name.lastName }]
      : []
  })
}
