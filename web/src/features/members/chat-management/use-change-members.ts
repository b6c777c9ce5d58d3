import { useMutation, useQueryClient } from '@tanstack/react-query'
import { invalidateWhenIdle } from '#data/live/read-again.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import {
  managedMembersQuery,
  updateMembers,
  type ManagedMember,
  type MemberChange,
} from './managed-members.ts'

type Change = { ids: readonly string[]; change: MemberChange }

/**
 * Switches change optimistically. If the server refuses, only these are rolled back, because others may
 * have changed meanwhile, and the list is refetched.
 * @param scope Changes of one scope are stored in their order: the last of two quick ones is stored last.
 */
export function useChangeMembers(scope: string) {
  const queryClient = useQueryClient()
  const { queryKey } = managedMembersQuery()
  const mutationKey = ['users', 'change'] as const
  const patch = (ids: readonly string[], patched: (member: ManagedMember) => ManagedMember) => {
    const wanted = new Set(ids)
    queryClient.setQueryData<ManagedMember[]>(queryKey, (members) =>
      members?.map((member) => (wanted.has(member.id) ? patched(member) : member)),
    )
  }
  return useMutation({
    mutationKey,
    mutationFn: ({ ids, change }: Change) => updateMembers(ids, change),
    scope: { id: scope },
    onMutate: async ({ ids, change }) => {
      await queryClient.cancelQueries({ queryKey })
      patch(ids, (member) => ({ ...member, ...change }))
    },
    onError: (error, { ids, change }) => {
      patch(ids, (member) => withUndone(member, change))
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
