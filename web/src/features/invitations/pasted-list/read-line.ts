import { findMeantAddresses } from './find-addresses.ts'
import type { ReadPerson } from './people.ts'
import { LABELS, nameText, readName } from './read-name.ts'

const LIST_MARK = /^\s*(?:\d{1,3}[.)]|[-–—•·*])\s+/
/** Nothing but a second address of the same person. */
const OR = /^[\s>)\]/&|]*(?:or|o|and|y)?[\s<([]*$/i
const MOST_WORDS_OF_A_NAME = 6

/**
 * The people in a line of text: `Maya Ortiz <maya@example.com>`, `"Ortiz, Maya" <maya@…>`, `maya@… Maya Ortiz`,
 * several of them, or addresses only. What stands without an address may be a name; a letter or a sum is nobody.
 */
export function readLine(line: string): ReadPerson[] {
  return line.replace(LIST_MARK, '').split(';').flatMap(readPart)
}

/** What stands between semicolons. */
function readPart(part: string): ReadPerson[] {
  const found = findMeantAddresses(part)
  const distinct = found.filter(
    ({ email }, at) => found.findIndex((each) => each.email === email) === at,
  )
  if (distinct.length === 0) return withoutAddress(part)
  const before = distinct.map(({ start }, at) => part.slice(distinct[at - 1]?.end ?? 0, start))
  const after = part.slice(found.at(-1)?.end)
  const isNamedBefore = nameText(before[0] ?? '') !== '' || nameText(after) === ''
  const people: ReadPerson[] = []
  for (const [at, { email }] of distinct.entries()) {
    const last = people.at(-1)
    if (last?.firstName && isNamedBefore && OR.test(before[at] ?? '')) last.others.push(email)
    else {
      const name = isNamedBefore ? before[at] : (before[at + 1] ?? after)
      people.push({ email, others: [], ...readName(name ?? '') })
    }
  }
  return people.map(completeOnly)
}

/** A company's site between name and address is not where the mail goes. */
function completeOnly(person: ReadPerson): ReadPerson {
  const [email, ...others] = [person.email, ...person.others].filter((each) => each.includes('@'))
  return email === undefined ? person : { ...person, email, others }
}

function withoutAddress(text: string): ReadPerson[] {
  const name = nameText(text)
  const isName = name !== '' && name.split(' ').length <= MOST_WORDS_OF_A_NAME
  if (!isName || /[:?!@]/.test(text.replace(LABELS, ''))) return []
  return [{ email: '', others: [], ...readName(name) }]
}
