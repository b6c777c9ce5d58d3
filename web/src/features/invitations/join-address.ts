import { siteAddress } from '#lib/server/site-address.ts'
import type { Invitee } from './pasted-list/people.ts'

/** The target of an invitation link. Names and address are included, so that Create Account is filled in. */
export function joinAddress(token: string, invitee?: Invitee): string {
  const address = new URL(`/join/${token}`, siteAddress())
  for (const [name, value] of Object.entries(invitee ?? {})) {
    if (value) address.searchParams.set(name, value)
  }
  return address.href
}

/** Parses what `joinAddress` wrote. */
export function prefillOf(search: string): Invitee {
  const given = new URLSearchParams(search)
  const read = (name: keyof Invitee) => given.get(name) ?? ''
  return { email: read('email'), firstName: read('firstName'), lastName: read('lastName') }
}
