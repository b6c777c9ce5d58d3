import { ChevronRight } from 'lucide-react'
import { nameOrAddress } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { CheckRow } from '#ui/check-row.tsx'
import { Chip } from '#ui/chip.tsx'
import { Pressable } from '#ui/pressable.tsx'
import type { SentInvitation } from './sent-queries.ts'
import { dayOf, inviterName, mayResend, stateName } from './sent-words.ts'

type SentRowProps = {
  invitation: SentInvitation
  /** While several are being selected; undefined otherwise. */
  isSelected: boolean | undefined
  onSelect: (isSelected: boolean) => void
  onOpen: () => void
}

/** An invitation in the list: opens its sheet, or is ticked while several are selected. */
export function SentRow({ invitation, isSelected, onSelect, onOpen }: SentRowProps) {
  const name = nameOrAddress(invitation)
  const by = m.invitations_by_on({
    name: inviterName(invitation),
    day: dayOf(invitation.last_sent_at ?? invitation.created_at),
  })
  if (isSelected !== undefined) {
    const address = name === invitation.email ? [] : [invitation.email]
    return (
      <div className="px-2">
        <CheckRow
          picture={<Avatar name={name} seed={invitation.email} />}
          title={name}
          text={[...address, stateName(invitation.state), by].join(' · ')}
          checked={isSelected}
          disabled={!mayResend(invitation)}
          onChange={(event) => onSelect(event.target.checked)}
        />
      </div>
    )
  }
  return (
    <Pressable
      onClick={onOpen}
      className="flex w-full items-center gap-3 px-4 py-2.5 text-left transition hover:bg-tint"
    >
      <Avatar name={name} seed={invitation.email} />
      <span className="min-w-0 flex-1 lg:grid lg:grid-cols-2 lg:items-center lg:gap-6">
        <span className="block min-w-0">
          <span className="block truncate font-semibold">{name}</span>
          {name !== invitation.email && (
            <span className="block truncate text-note text-muted">{invitation.email}</span>
          )}
        </span>
        <span className="flex flex-col items-start gap-1 lg:flex-row lg:items-center lg:justify-between">
          <span className="min-w-0 truncate text-note text-muted">{by}</span>
          <Chip tone={toneOf(invitation)}>{stateName(invitation.state)}</Chip>
        </span>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </Pressable>
  )
}

/** What still matters stands out. */
function toneOf({ state }: SentInvitation) {
  if (state === 'bounced') return 'danger'
  return state === 'pending' || state === 'accepted' ? 'primary' : 'quiet'
}
