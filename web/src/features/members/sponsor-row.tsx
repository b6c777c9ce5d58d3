import { m } from '#lib/messages/messages.js'
import { TextButton } from '#ui/text-button.tsx'
import type { MemberDetails } from './member-queries.ts'

/** Who brought the member in, with the way to change it. */
export function SponsorRow({ member, onChange }: { member: MemberDetails; onChange: () => void }) {
  const { sponsor_name, counts_for_name } = member
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted">{m.members_sponsor()}</dt>
      <dd className="ml-auto min-w-0 text-right font-medium wrap-anywhere">
        {sponsor_name && counts_for_name
          ? m.members_counts_for({ name: sponsor_name, leader: counts_for_name })
          : (sponsor_name ?? m.members_sponsor_none())}
        <TextButton
          aria-label={m.members_sponsor_change_label({ name: member.first_name })}
          onClick={onChange}
        >
          {m.members_sponsor_change()}
        </TextButton>
      </dd>
    </div>
  )
}
