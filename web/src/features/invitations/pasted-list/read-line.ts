import { findAddresses } from './find-addresses.ts'
import type { ReadPerson } from './people.ts'
import { LABELS, nameText, readName } from './read-name.ts'

const LIST_MARK = /^\s*(?:\d{1,3}[.)]|[-–—•·*])\s+/
/** Nothing but a second address of the same person. */
const OR = /^[\s>)\]/&|]*(?:or|o|and|y)?[\s<([]*$/i
const MOST_WORDS_OF_A_NAME = 6

/**
 * The people in a line of text: `Maya Ortiz <maya@example.com>`, `"Ortiz, Maya" <maya@…>`, `maya@… Maya Ortiz`,
 * several of them, or addresses only. A line without an address may be a name; one of a letter or a sum is nobody.
 */
export function readLine(given: string): ReadPerson[] {
  const line = given.replace(LIST_MARK, '')
  const found = findAddresses(line)
  const distinct = found.filter(
    ({ email }, at) => found.findIndex((each) => each.email === email) === at,
  )
  if (distinct.length === 0) return line.split(';').flatMap(withoutAddress)
  const before = distinct.map(({ start }, at) => line.slice(distinct[at - 1]?.end ?? 0, start))
  const after = line.slice(found.at(-1)?.end)
  const isNamedBefore = nameText(before[0] ?? '') !== '' || nameText(after) === ''
  const people: ReadPerson[] = []
  for (const [at, { email }] of distinct.entries()) {
    const last = people.at(-1)
    if (last?.firstName && isNamedBefore && OR.test(before[at] ?? '')) last.others.push(email)
    else people.push({ email, others: [], ...readName(nameFor(at)) })
  }
  return people

  function nameFor(at: number): string {
    if (isNamedBefore) return before[at]?.split(';').at(-1) ?? ''
    return (before[at + 1] ?? after).split(';')[0] ?? ''
  }
}

function withoutAddress(text: string): ReadPerson[] {
  const name = nameText(text)
  const isName = name !== '' && name.split(' ').length <= MOST_WORDS_OF_A_NAME
  if (!isName || /[:?!@]/.test(text.replace(LABELS, ''))) return []
  return [{ email: '', others: [], ...readName(name) }]
}
