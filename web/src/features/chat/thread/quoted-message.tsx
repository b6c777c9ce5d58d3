import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useUserId } from '#data/session/session.ts'
import { useBlockedIds } from '#domain/blocked-people.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { loadMessage, messagesQuery } from '#features/chat/model/message-queries.ts'
import { messageSummary } from '#features/chat/model/message-summary.ts'
import { m } from '#lib/messages/messages.js'
import { Pressable } from '#ui/pressable.tsx'

type QuotedMessageProps = { id: string; chatId: string; onJump: (messageId: string) => void }

/** The replied-to message, in two lines; pressing it jumps there. */
export function QuotedMessage({ id, chatId, onJump }: QuotedMessageProps) {
  const memberId = useUserId()
  const client = useQueryClient()
  const { data: quoted, isSuccess } = useQuery({
    queryKey: ['chat_messages', 'quoted', id],
    queryFn: () => loadMessage(id, memberId),
    // Most quotes are of a nearby message.
    initialData: () =>
      client
        .getQueryData(messagesQuery(chatId, memberId).queryKey)
        ?.messages.find((message) => message.id === id),
    staleTime: 60_000,
  })
  const name = useMemberName(quoted?.sender_id)
  const isFolded = useBlockedIds().includes(quoted?.sender_id ?? '')
  const isReadable = quoted && !quoted.is_deleted
  return (
    <Pressable
      onClick={() => onJump(id)}
      disabled={!isReadable}
      title={isReadable ? m.chat_quoted_jump() : undefined}
      className="mb-1 block w-full rounded-tight border-l-3 border-current/50 bg-current/8 px-2.5 py-1 text-left text-note"
    >
      {isReadable ? (
        <>
          <span className="block font-semibold">
            {quoted.sender_id === memberId ? m.chat_you() : name}
          </span>
          <span className="line-clamp-2">
            {isFolded ? m.safety_folded() : messageSummary(quoted)}
          </span>
        </>
      ) : (
        <span className="italic opacity-80">{isSuccess ? m.chat_quoted_gone() : '…'}</span>
      )}
    </Pressable>
  )
}
