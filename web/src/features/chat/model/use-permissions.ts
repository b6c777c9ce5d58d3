import { useQuery } from '@tanstack/react-query'
import { useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'

export type ChatPermissions = {
  canCreateChats: boolean
  canSendMessages: boolean
  isAdmin: boolean
  /** Admins in their chats, supervisors in any. */
  canRemoveMessages: boolean
  /** False while unknown; screens that redirect wait for it. */
  isKnown: boolean
}

/** The member's permissions. While loading, or on error, all are on: the database decides (product.md P105). */
export function usePermissions(): ChatPermissions {
  const { data: profile, isPending, fetchStatus } = useQuery(ownProfileQuery(useUserId()))
  return {
    canCreateChats: profile?.can_create_chats !== false,
    canSendMessages: profile?.can_send_messages !== false,
    isAdmin: profile?.role === 'admin',
    canRemoveMessages: profile?.role === 'admin' || profile?.can_supervise === true,
    // Offline the request only waits.
    isKnown: !isPending || fetchStatus === 'paused',
  }
}
