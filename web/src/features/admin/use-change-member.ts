import { useMutation, useQueryClient } from '@tanstack/react-query'
import { invalidateWhenIdle } from '#lib/live/invalidate-when-idle.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import {
  managedMembersQuery,
  updateMember,
  type ManagedMember,
  type MemberChange,
} from './member-queries.ts'

/**
 * A switch changes optimistically. If the server refuses, only that switch is rolled back, because others
 * may have changed meanwhile, and the list is refetched.
 */
export function useChangeMember(id: string) {
  const queryClient = useQueryClient()
  const { queryKey } = managedMembersQuery()
  const mutationKey = ['users', 'change'] as const
  return useMutation({
    mutationKey,
    mutationFn: (change: MemberChange) => updateMember(id, change),
    // The last of two quick changes must be stored last; other members need not wait.
    scope: { id: `member ${id}` },
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<ManagedMember[]>(queryKey, (members) =>
        members?.map((member) => (member.id === id ? { ...member, ...change } : member)),
      )
    },
    onError: (error, change) => {
      queryClient.setQueryData<ManagedMember[]>(queryKey, (members) =>
        members?.map((member) => (member.id === id ? withUndone(member, change) : member)),
      )
      showError(m.admin_error_permission(), error)
    },
    onSettled: () => invalidateWhenIdle(queryClient, mutationKey),
  })
}

function withUndone(member: ManagedMember, change: MemberChange): ManagedMember {
  const undone = Object.entries(change).map(([field, value]) => [
    field,
    typeof value === 'boolean' ? !value : value === 'admin' ? 'user' : 'admin',
  ])
  return { ...member, ...(Object.fromEntries(undone) as Partial<ManagedMember>) }
}
