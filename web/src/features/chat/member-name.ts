import { useQuery } from '@tanstack/react-query'
import type { Member } from './chat-types.ts'
import { memberQuery } from './member-queries.ts'

/** As the database names people: both names, else the local part of the address, else "User". */
export function memberName({ first_name, last_name, email }: Omit<Member, 'id'>): string {
  return `${first_name} ${last_name}`.trim() || (email ?? '').split('@')[0] || 'User'
}

export function firstName(member: Omit<Member, 'id'>): string {
  return member.first_name.trim() || memberName(member)
}

/** A member's name, empty until it is loaded. */
export function useMemberName(id: string | null | undefined): string {
  const { data: member } = useQuery({ ...memberQuery(id ?? ''), enabled: Boolean(id) })
  return member ? memberName(member) : ''
}
