import { Refusal } from '../_shared/refusal.ts'

export type Invited = {
  email: string
  firstName: string
  lastName: string
  /** The language of the mail. */
  locale: string
  isValid: boolean
}

export type InviteOrder = {
  people: Invited[]
  /** Redirect target of the mailed link; the auth service checks it against its allow list. */
  redirectTo: string
}

/** A pending invitation whose link is to be mailed again. */
export type Renewal = { invitationId: string; redirectTo: string }

const MOST_PEOPLE = 100
const LONGEST_NAME = 100
const MAX_ADDRESS_LENGTH = 254
const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"'()[\]\\]+\.[^\s@<>,;:"'()[\]\\.]+$/

/** What the database cannot store, or takes out of an address. */
const UNSTORABLE = /[\0\p{Cs}]/gu
const INVISIBLE = /[\p{Cc}\p{Cf}]/u

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function readBody(request: Request): Promise<Record<string, unknown>> {
  return record(await request.json().catch(() => null))
}

/** Undefined if the body asks for something else. */
export function readRenewal(body: Record<string, unknown>): Renewal | undefined {
  const invitationId = text(body.renew, 36)
  if (!UUID.test(invitationId)) return undefined
  return { invitationId, redirectTo: text(body.redirect_to, 2000) }
}

/** @throws Refusal when the body is malformed */
export function readInviteOrder(body: Record<string, unknown>): InviteOrder {
  if (!Array.isArray(body.people)) throw new Refusal(400, 'Whom to invite is missing')
  if (body.people.length < 1 || body.people.length > MOST_PEOPLE) {
    throw new Refusal(400, `Invite between 1 and ${MOST_PEOPLE} people at once`)
  }
  const people = new Map<string, Invited>()
  for (const each of body.people) {
    const person = readPerson(each, body.locale)
    people.set(person.email, person)
  }
  return { people: [...people.values()], redirectTo: text(body.redirect_to, 2000) }
}

/** `usual`: the language of those who have none of their own. */
function readPerson(given: unknown, usual: unknown): Invited {
  const { email, first_name, last_name, locale = usual } = record(given)
  const address = text(email, MAX_ADDRESS_LENGTH + 1).toLowerCase()
  return {
    email: address,
    firstName: text(first_name, LONGEST_NAME),
    lastName: text(last_name, LONGEST_NAME),
    locale: text(locale, 2) === 'es' ? 'es' : 'en',
    isValid:
      address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address) && !INVISIBLE.test(address),
  }
}

function record(given: unknown): Record<string, unknown> {
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
}

function text(given: unknown, longest: number): string {
  return typeof given === 'string' ? given.replace(UNSTORABLE, '').trim().slice(0, longest) : ''
}
