import { useQuery } from '@tanstack/react-query'
import { ownProfileQuery } from '#lib/own-profile.ts'
import { useUserId } from '#lib/session.ts'

export type ChatPermissions = {
  canCreateChats: boolean
  canSendMessages: boolean
  isAdmin: boolean
  /** False while nothing is known yet; screens that turn people away wait for it. */
  isKnown: boolean
}

/** What the member may do. While loading, or when loading fails, everything: the database decides. */
export function usePermissions(): ChatPermissions {
  const { data: profile, isPending } = useQuery(ownProfileQuery(useUserId()))
  return {
    canCreateChats: profile?.can_create_chats !== false,
    canSendMessages: profile?.can_send_messages !== false,
    isAdmin: profile?.role === 'admin',
    isKnown: !isPending,
  }
}
