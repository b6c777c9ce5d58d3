import { useQuery } from '@tanstack/react-query'
import { Ban, Flag, MessageCircle, Phone, UserRoundPen } from 'lucide-react'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { Button, buttonLook } from '#ui/button.tsx'
import { closePerson } from './open-person.ts'
import { ownProfileQuery } from './own-profile.ts'
import type { PersonProfile } from './person-queries.ts'

/** The ways to reach a member: the chat of two, which is begun if there is none, and their phone. */
export function PersonReaching({ person, isSelf }: { person: PersonProfile; isSelf: boolean }) {
  const { data: own } = useQuery(ownProfileQuery(useUserId()))
  if (isSelf) {
    return (
      <Link to="/profile" onClick={closePerson} className={buttonLook('tint')}>
        <UserRoundPen aria-hidden="true" className="size-5" />
        {m.people_edit_own()}
      </Link>
    )
  }
  // Whoever may not begin a chat still opens the one there is.
  const mayBegin = own?.can_create_chats !== false && own?.can_send_messages !== false
  const chat = person.chat_id ?? (mayBegin ? `create?with=${person.id}` : null)
  return (
    <div className="flex flex-wrap gap-3">
      {chat && (
        <Link
          to={`/chat/${chat}`}
          onClick={closePerson}
          className={`${buttonLook('primary')} flex-1`}
        >
          <MessageCircle aria-hidden="true" className="size-5" />
          {m.people_message()}
        </Link>
      )}
      {person.phone && (
        <a href={`tel:${person.phone}`} className={`${buttonLook('tint')} flex-1`}>
          <Phone aria-hidden="true" className="size-5" />
          {m.people_call()}
        </a>
      )}
    </div>
  )
}

type PersonActionsProps = {
  isBlocked: boolean
  onReport: () => void
  onBlock: () => void
  onUnblock: () => void
}

/** What one can do against a member. */
export function PersonActions({ isBlocked, onReport, onBlock, onUnblock }: PersonActionsProps) {
  return (
    <>
      <Button variant="ghost" onClick={onReport}>
        <Flag aria-hidden="true" className="size-5" />
        {m.safety_report()}
      </Button>
      <Button
        variant={isBlocked ? 'ghost' : 'danger-ghost'}
        onClick={isBlocked ? onUnblock : onBlock}
      >
        <Ban aria-hidden="true" className="size-5" />
        {isBlocked ? m.safety_unblock() : m.safety_block()}
      </Button>
    </>
  )
}
