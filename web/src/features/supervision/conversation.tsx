import { useInfiniteQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { ChatAttachment } from '#domain/chat-attachment.tsx'
import { RemovalSheet } from '#domain/removal-sheet.tsx'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'
import {
  lookQuery,
  type MessageChange,
  type ShownImage,
  type ShownMessage,
} from './supervision-queries.ts'

const CHANGES: Record<string, () => string> = {
  'message.edited': m.supervision_edited,
  'message.deleted': m.supervision_deleted,
  'message.removed': m.supervision_removed,
  'message.restored': m.supervision_restored,
  'message.erased': m.supervision_erased,
  'message.changed': m.supervision_changed,
  'message.pinned': m.supervision_pinned,
  'message.unpinned': m.supervision_unpinned,
}

type Props = {
  lookId: string
  /** The message that is reviewed; shown first, like the last one where none is. */
  marked?: string | null
}

/** Whether the message is in its chat after such a change; others leave that as it was. */
const STANDS_AFTER: Record<string, boolean> = {
  'message.deleted': false,
  'message.removed': false,
  'message.erased': false,
  'message.restored': true,
}

/** What a look shows, in the order it was said, each message in every version; those that stand can be removed. */
export function Conversation({ lookId, marked }: Props) {
  const query = useInfiniteQuery(lookQuery(lookId))
  const messages = query.data?.pages.flat().toReversed()
  const memberId = useUserId()
  const [removing, setRemoving] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const isShown = messages !== undefined
  useLayoutEffect(() => {
    if (isShown && box.current) showFirst(box.current)
  }, [isShown])
  if (query.isPending) return <SkeletonRows />
  return (
    // Around the box, since a sheet would make a box that scrolls as low as it likes.
    <div>
      <div
        ref={box}
        role="region"
        aria-label={m.supervision_conversation()}
        tabIndex={0}
        className={classNames(
          'relative grid grid-cols-1 gap-2 overflow-y-auto',
          marked === undefined ? 'max-h-[65dvh]' : 'max-h-[45dvh]',
        )}
      >
        <ShowMorePages query={query} />
        {query.error && (
          <LoadError
            error={query.error}
            describe={(message) => m.supervision_error({ message })}
            onRetry={() => void query.refetch()}
          />
        )}
        {messages?.length === 0 && <p className="text-muted">{m.supervision_look_empty()}</p>}
        <ol className="grid grid-cols-1 gap-2">
          {messages?.map((message) => (
            <li key={message.seq}>
              <Message
                lookId={lookId}
                message={message}
                isMarked={message.message_id === marked}
                onRemove={
                  message.member_id === memberId ? undefined : () => setRemoving(message.message_id)
                }
              />
            </li>
          ))}
        </ol>
        {removing && (
          <RemovalSheet
            messageId={removing}
            onRemoved={() => {
              showToast(m.supervision_was_removed())
              void query.refetch()
            }}
            onClose={() => setRemoving(null)}
          />
        )}
      </div>
    </div>
  )
}

/** What is reviewed in the middle, or else the end of the conversation. */
function showFirst(box: HTMLElement) {
  const marked = box.querySelector<HTMLElement>('[aria-current]')
  box.scrollTop = marked
    ? marked.offsetTop - (box.clientHeight - marked.clientHeight) / 2
    : box.scrollHeight
}

type MessageProps = {
  lookId: string
  message: ShownMessage
  isMarked: boolean
  /** Absent for an own message, which its author deletes in the chat. */
  onRemove?: () => void
}

function Message({ lookId, message, isMarked, onRemove }: MessageProps) {
  const changes = message.changes as MessageChange[]
  const stands =
    STANDS_AFTER[changes.findLast(({ kind }) => kind in STANDS_AFTER)?.kind ?? ''] ?? true
  return (
    <div
      aria-current={isMarked || undefined}
      className={classNames(
        'rounded-field border px-3 py-2',
        isMarked ? 'border-primary bg-tint' : 'border-line bg-card',
      )}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="text-note text-muted">
            <span className="font-semibold wrap-anywhere text-ink">{message.member_name}</span>{' '}
            {formatMoment(message.sent_at)}
          </p>
          {message.words && <p className="wrap-anywhere whitespace-pre-wrap">{message.words}</p>}
        </div>
        {stands && onRemove && (
          <IconButton
            label={m.supervision_remove({ member: message.member_name })}
            title={m.chat_remove_message()}
            icon={<Trash2 />}
            variant="quiet"
            className="-mt-2 -mr-3"
            onClick={onRemove}
          />
        )}
      </div>
      {message.image && (
        <ChatAttachment
          attachment={message.image as ShownImage}
          senderName={message.member_name}
          lookId={lookId}
        />
      )}
      {message.has_image && !message.image && (
        <p className="text-note text-muted">{m.supervision_image_gone()}</p>
      )}
      {changes.map((change) => (
        <p key={`${change.kind} ${change.at}`} className="mt-1 border-t border-line pt-1">
          <span className="block text-note text-muted">
            {[CHANGES[change.kind]?.() ?? change.kind, formatMoment(change.at), change.by]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {change.kind === 'message.edited' && (
            <span className="block wrap-anywhere whitespace-pre-wrap">{change.text}</span>
          )}
          {change.reason && (
            <span className="block text-note wrap-anywhere">
              {m.archive_search_reason_given({ reason: change.reason })}
            </span>
          )}
        </p>
      ))}
    </div>
  )
}
