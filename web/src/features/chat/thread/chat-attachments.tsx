import { useInfiniteQuery } from '@tanstack/react-query'
import { Files, Images } from 'lucide-react'
import type { Row } from '#data/database.ts'
import { database } from '#data/supabase.ts'
import { useBlockedIds } from '#domain/blocked-people.ts'
import { ChatAttachment } from '#domain/chat-attachment.tsx'
import { ChatImageTile } from '#domain/chat-image.tsx'
import { formatFullTime } from '#features/chat/model/chat-timestamp.ts'
import { useMemberName } from '#features/chat/model/member-names.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

const PAGE_SIZE = 30

export type AttachmentKind = 'photos' | 'files'

type ChatAttachmentsProps = { chatId: string; kind: AttachmentKind; onClose: () => void }

/** The photos or files of a chat, the latest first; not those of people whom the member blocked. */
export function ChatAttachments({ chatId, kind, onClose }: ChatAttachmentsProps) {
  const blocked = useBlockedIds()
  const query = useInfiniteQuery({
    queryKey: ['chat_messages', kind, chatId],
    queryFn: ({ pageParam }) => loadAttachments(chatId, kind, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < PAGE_SIZE ? undefined : last.at(-1)?.sent_at),
  })
  const isFiles = kind === 'files'
  const sent = query.data?.pages.flat().filter(({ sender_id: id }) => !blocked.includes(id))
  return (
    <Modal open onClose={onClose} title={isFiles ? m.chat_files() : m.chat_photos()} wide>
      {query.isPending && <SkeletonRows />}
      {query.error && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {sent?.length === 0 && !query.hasNextPage && (
        <EmptyState
          picture={isFiles ? <Files /> : <Images />}
          title={isFiles ? m.chat_files_none() : m.chat_photos_none()}
        />
      )}
      <ul className={isFiles ? 'grid gap-1' : 'grid grid-cols-3 gap-1'}>
        {sent?.map((each) => (
          <Sent key={each.id} sent={each} />
        ))}
      </ul>
      <ShowMorePages query={query} isEndless />
    </Modal>
  )
}

type SentRow = Pick<Row<'chat_messages'>, 'id' | 'sender_id' | 'sent_at' | 'attachment'>

function Sent({ sent: { sender_id: senderId, sent_at, attachment } }: { sent: SentRow }) {
  const senderName = useMemberName(senderId)
  if (!attachment) return null
  if (attachment.kind !== 'file') {
    return (
      <li>
        <ChatImageTile attachment={attachment} senderName={senderName} />
      </li>
    )
  }
  return (
    <li className="min-w-0">
      <ChatAttachment attachment={attachment} senderName={senderName} />
      <p className="truncate px-1 text-note text-muted">
        {[senderName, formatFullTime(sent_at, formatLocale())].join(' · ')}
      </p>
    </li>
  )
}

async function loadAttachments(
  chatId: string,
  kind: AttachmentKind,
  before: string | null,
): Promise<SentRow[]> {
  let query = database
    .from('chat_messages')
    .select('id, sender_id, sent_at, attachment')
    .eq('chat_id', chatId)
    .eq('is_deleted', false)
    .not('attachment', 'is', null)
  query =
    kind === 'files' ? query.eq('attachment->>kind', 'file') : query.is('attachment->>kind', null)
  if (before) query = query.lt('sent_at', before)
  const { data } = await query
    .order('sent_at', { ascending: false })
    .limit(PAGE_SIZE)
    .throwOnError()
  return data
}
