import type { MemberStatus } from '#data/database.ts'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { showToast } from '#ui/toast-store.ts'
import { setMemberStatus } from './member-queries.ts'
import { useMemberChange } from './use-member-change.ts'

type Decision = 'active' | 'declined'
type Newcomer = {
  id: string
  first_name: string
  last_name: string
  email: string | null
  status: MemberStatus
}

/**
 * Lets somebody in or declines them, and offers to take it back (product.md P177). `onDecided` runs when either is done.
 */
export function useDecision(newcomer: Newcomer, onDecided?: () => void) {
  const name = memberName(newcomer)
  const takeBack = useMemberChange(async (decided: Decision) => {
    await setMemberStatus(newcomer.id, 'waiting', { onlyIf: decided })
    onDecided?.()
    showToast(m.members_undone({ name }), undefined, newcomer.id)
  })
  const decide = useMemberChange(async (decided: Decision) => {
    await setMemberStatus(newcomer.id, decided, { onlyIf: newcomer.status })
    onDecided?.()
    const text = decided === 'active' ? m.members_approved({ name }) : m.members_declined({ name })
    showToast(text, () => takeBack.mutate(decided), newcomer.id)
  })
  return {
    approve: () => decide.mutate('active'),
    decline: () => decide.mutate('declined'),
    takeBack: (decided: Decision) => takeBack.mutate(decided),
    isDeciding: decide.isPending || takeBack.isPending,
  }
}
