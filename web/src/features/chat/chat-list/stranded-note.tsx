import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { chatsWithDraft } from '#features/chat/model/chat-drafts.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { useOutboxEntries } from '#features/chat/outbox/member-outbox.ts'
import { m } from '#lib/messages/messages.js'

/** The way to what the member wrote, but could not send, in chats that are no longer theirs. */
export function StrandedNote({ chats }: { chats: readonly ChatSummary[] }) {
  const memberId = useUserId()
  const { data: profile } = useQuery(ownProfileQuery(memberId))
  const failed = useOutboxEntries(memberId).filter(({ state }) => state.step === 'failed')
  if (!profile) return null
  const known = new Set([...chats.map((chat) => chat.chat_id), ...(profile.hidden_chats ?? [])])
  const written = new Set([...chatsWithDraft(memberId), ...failed.map(({ chatId }) => chatId)])
  const stranded = [...written].filter((chatId) => !known.has(chatId))
  return stranded.map((chatId) => (
    <p key={chatId} className="px-5 pb-2 text-center text-note">
      <Link
        to={`/chat/${chatId}`}
        className="inline-grid min-h-target place-items-center font-semibold text-primary hover:underline"
      >
        {m.chat_draft_stranded()}
      </Link>
    </p>
  ))
}
