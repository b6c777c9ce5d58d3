import { useQuery } from '@tanstack/react-query'
import { wasAdmin } from '#data/kept/device-data.ts'
import { useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { setupChecklistQuery } from '#domain/setup-checklist.ts'
import { isSetupOpen } from './setup-items.ts'

/** The set-up list of an admin, and whether it is still unknown if there is one: it must not push a screen down later. */
export function useSetupList() {
  const userId = useUserId()
  const profile = useQuery(ownProfileQuery(userId))
  const isAdmin = profile.data ? profile.data.role === 'admin' : wasAdmin(userId)
  const { data: checklist, isFetched } = useQuery({ ...setupChecklistQuery(), enabled: isAdmin })
  return {
    isWaiting: !profile.isFetched || (isAdmin && !isFetched),
    checklist: isAdmin ? (checklist ?? null) : null,
    isOpen: isAdmin && isSetupOpen(checklist),
  }
}
