import { useQuery } from '@tanstack/react-query'
import { useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from './own-profile.ts'
import { vicePresidentsQuery } from './vice-presidents.ts'

/** Whether the member is an admin or a vice president, for whom New Rep Start is not (product.md P174); undefined until known. */
export function useIsLeader(): boolean | undefined {
  const userId = useUserId()
  const profile = useQuery(ownProfileQuery(userId))
  const vicePresidents = useQuery(vicePresidentsQuery())
  if (profile.data?.role === 'admin') return true
  if (profile.isPending || vicePresidents.isPending) return undefined
  return vicePresidents.data?.some(({ id }) => id === userId) ?? false
}
