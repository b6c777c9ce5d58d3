import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { showToast } from '#ui/toast-store.ts'
import { setMemberStatus } from './member-queries.ts'
import { useMemberChange } from './use-member-change.ts'

type Newcomer = { id: string; first_name: string; last_name: string; email: string | null }

/** Lets in or declines somebody who waits, and offers to take it back (product.md P177). `onDecided` runs at once. */
export function useDecision(newcomer: Newcomer, onDecided?: () => void) {
  const name = memberName(newcomer)
  const undo = useMemberChange(async (decided: 'active' | 'removed') => {
    await setMemberStatus(newcomer.id, 'waiting', { onlyIf: decided })
    showToast(m.members_undone({ name }))
  })
  const decide = useMemberChange(async (decided: 'active' | 'removed') => {
    await setMemberStatus(newcomer.id, decided, { onlyIf: 'waiting' })
    onDecided?.()
    showToast(decided === 'active' ? m.members_approved({ name }) : m.members_declined({ name }), {
      label: m.members_undo(),
      onSelect: () => undo.mutate(decided),
    })
  })
  return {
    approve: () => decide.mutate('active'),
    decline: () => decide.mutate('removed'),
    isDeciding: decide.isPending,
  }
}
