import { useQuery } from '@tanstack/react-query'
import { memberName } from '#domain/member-name.ts'
import { memberQuery } from './member-queries.ts'

/** A member's name, empty until loaded. */
export function useMemberName(id: string | null | undefined): string {
  const { data: member } = useQuery({ ...memberQuery(id ?? ''), enabled: Boolean(id) })
  return member ? memberName(member) : ''
}
