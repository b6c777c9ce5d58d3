import { Check, X } from 'lucide-react'
import { useRef } from 'react'
import { AddressText } from '#domain/address-text.tsx'
import { memberName } from '#domain/member-name.ts'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { useJustMoved } from '#lib/use-just-moved.ts'
import { useNow } from '#lib/use-now.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Pressable } from '#ui/pressable.tsx'
import type { ListedMember } from './member-queries.ts'
import { useDecision } from './use-decision.ts'

type Props = { member: ListedMember; onOpen: () => void }

/** Somebody who waits to be let in, with the decision one tap away; their name opens their sheet. */
export function WaitingRow({ member, onOpen }: Props) {
  const now = useNow()
  const name = memberName(member)
  const { approve, decline, isDeciding } = useDecision(member)
  const row = useRef<HTMLDivElement>(null)
  const hasJustMoved = useJustMoved(row)
  const unlessMoved = (decide: () => void) => () => {
    if (!hasJustMoved()) decide()
  }
  const facts = [
    member.sponsor_name && m.members_brought_by({ name: member.sponsor_name }),
    member.status_changed_at &&
      m.members_asked_ago({ time: timeSince(Date.parse(member.status_changed_at), now) }),
  ]
  return (
    <div ref={row} className="grid gap-2 py-1 pr-4 sm:flex sm:items-center">
      <Pressable
        onClick={onOpen}
        className="flex min-w-0 flex-1 items-center gap-3 py-2 pl-4 text-left"
      >
        <Avatar name={name} seed={member.id} />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold wrap-anywhere">{name}</span>
          {name !== member.email && (
            <span className="block text-note text-muted wrap-anywhere">
              {member.email && <AddressText address={member.email} />}
            </span>
          )}
          <span className="block text-note text-muted">{facts.filter(Boolean).join(' · ')}</span>
        </span>
      </Pressable>
      <div className="grid grid-cols-2 gap-2 pb-2 pl-4 sm:flex sm:p-0">
        <Button
          size="sm"
          aria-label={m.members_approve_label({ name })}
          isWaiting={isDeciding}
          onClick={unlessMoved(approve)}
        >
          <Check aria-hidden="true" className="size-4" />
          {m.members_approve()}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          aria-label={m.members_decline_label({ name })}
          isWaiting={isDeciding}
          onClick={unlessMoved(decline)}
        >
          <X aria-hidden="true" className="size-4" />
          {m.members_decline()}
        </Button>
      </div>
    </div>
  )
}
