import { MemberPicker } from '#domain/member-picker.tsx'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { showToast } from '#ui/toast-store.ts'
import { setSponsor, type MemberDetails } from './member-queries.ts'
import { useMemberChange } from './use-member-change.ts'

/** Picks who brought the member in. The database refuses whoever is below them. */
export function SponsorPicker({ member, onClose }: { member: MemberDetails; onClose: () => void }) {
  const name = memberName(member)
  const change = useMemberChange((sponsorId: string | null) => setSponsor(member.id, sponsorId))
  const choose = (sponsorId: string | null) => {
    if (change.isPending) return
    change.mutate(sponsorId, {
      onSuccess: () => {
        showToast(m.members_sponsor_saved())
        onClose()
      },
    })
  }
  return (
    <MemberPicker
      title={m.members_sponsor_title({ name })}
      description={m.members_sponsor_text({ name })}
      filter="active"
      without={member.id}
      nobody={member.sponsor_id ? m.members_sponsor_clear() : undefined}
      onPick={(picked) => choose(picked?.id ?? null)}
      onClose={onClose}
    />
  )
}
