import { newId } from '#lib/new-id.ts'
import { readPeople } from '../pasted-list/read-people.ts'
import type { InviteLine, InviteList } from './invite-list-store.ts'

/** As many as an admin may invite in an hour, and as a screen edits with ease. */
export const MOST_LINES = 500

/** The list with the people in a text added below, and what could not be added left as text. */
export function withText(
  list: InviteList,
  text: string,
): { list: InviteList; leftOut: string[]; added: number } {
  const { people, leftOut } = readPeople(text)
  const room = MOST_LINES - list.lines.length
  const added = people.slice(0, room).map((person): InviteLine => ({ id: newId(), ...person }))
  const typed = people
    .slice(room)
    .map(({ firstName, lastName, email }) => `${firstName} ${lastName} <${email}>`.trim())
  const lines = [...list.lines.filter((line) => !isBlank(line)), ...added]
  return { list: { typed: typed.join('\n'), lines }, leftOut, added: added.length }
}

export function blankLine(): InviteLine {
  return { id: newId(), email: '', firstName: '', lastName: '', others: [] }
}

export function isBlank({ email, firstName, lastName }: InviteLine): boolean {
  return `${email}${firstName}${lastName}`.trim() === ''
}
