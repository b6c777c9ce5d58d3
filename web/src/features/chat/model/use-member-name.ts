import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { memberQuery } from './member-queries.ts'

/** A member's name, empty until loaded. */
export function useMemberName(id: string | null | undefined): string {
  const { data: member } = useQuery({ ...memberQuery(id ?? ''), enabled: Boolean(id) })
  // Whose admission was taken back is no longer among those who are or were on the team.
  if (member === null) return m.chat_former_member()
  return member ? memberName(member) : ''
}

/** Asks for names as soon as it is known that they will be shown: what else is asked at that moment goes with it. */
export function useNamesAhead(ids: readonly string[]): void {
  const client = useQueryClient()
  const all = [...new Set(ids)].sort().join()
  useEffect(() => {
    for (const id of all.split(',').filter(Boolean)) void client.prefetchQuery(memberQuery(id))
  }, [client, all])
}
