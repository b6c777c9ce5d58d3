import { ChevronRight } from 'lucide-react'
import type { MemberStatus } from '#data/database.ts'
import { memberName } from '#domain/member-name.ts'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { Chip } from '#ui/chip.tsx'
import { Pressable } from '#ui/pressable.tsx'
import type { ListedMember } from './member-queries.ts'

type Props = { member: ListedMember; onOpen: () => void }

/** A member in the list; opens their sheet. */
export function MemberRow({ member, onOpen }: Props) {
  const name = memberName(member)
  return (
    <Pressable
      onClick={onOpen}
      className="flex w-full items-center gap-3 px-4 py-2.5 text-left transition hover:bg-tint"
    >
      <Avatar name={name} seed={member.id} />
      {/* The chip goes below where the name would be cut. */}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-40 lg:grid lg:grid-cols-2 lg:items-center lg:gap-6">
          <span className="block font-semibold break-words">{name}</span>
          <span className="block text-note break-words text-muted">{factOf(member)}</span>
        </span>
        <span className="flex flex-none flex-wrap gap-1.5 empty:hidden lg:flex! lg:w-32 lg:justify-end">
          {member.status !== 'active' ? (
            <Chip>{statusName(member.status)}</Chip>
          ) : (
            <>
              {member.role === 'admin' && <Chip>{m.members_is_admin()}</Chip>}
              {member.can_supervise && <Chip>{m.people_supervisor()}</Chip>}
            </>
          )}
        </span>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </Pressable>
  )
}

/** When they were last here; of whom admins declined, who they are. */
function factOf({ status, email, last_active_at }: ListedMember): string | null {
  if (status === 'declined') return email
  if (!last_active_at) return m.members_never_opened()
  return m.members_active_since({ time: lastActive(last_active_at) })
}

export function statusName(status: MemberStatus): string {
  if (status === 'waiting') return m.members_status_waiting()
  if (status === 'declined') return m.members_status_declined()
  return status === 'removed' ? m.members_status_removed() : m.members_status_suspended()
}

/** When the member last opened the app, in words. */
export function lastActive(at: string | null): string {
  return at ? timeSince(Date.parse(at), Date.now()) : m.members_never_opened()
}
