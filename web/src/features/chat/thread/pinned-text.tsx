import { useUserId } from '#data/session/session.ts'
import { useBlockedIds } from '#domain/blocked-people.ts'
import type { Pin } from '#features/chat/model/chat-queries.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { messageSummary } from '#features/chat/model/message-summary.ts'
import { m } from '#lib/messages/messages.js'

/** Folded like the message itself where its sender is blocked. */
export function PinnedText({ pin }: { pin: Pin }) {
  const isFolded = useBlockedIds().includes(pin.message.sender_id)
  return isFolded ? m.safety_folded() : messageSummary(pin.message)
}

export function PinnedBy({ pin }: { pin: Pin }) {
  const isOwn = pin.created_by === useUserId()
  const name = useMemberName(isOwn ? null : pin.created_by)
  return isOwn ? m.chat_pinned_by_you() : m.chat_pinned_by({ name })
}
