import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Conversation } from '../conversation.tsx'
import { foundLookQuery, type FoundMessage } from './search-queries.ts'

type Props = { message: FoundMessage; reason: string; onClose: () => void }

/** What was said around a message that a search found: a look of its own, for the reason of the search. */
export function FoundConversation({ message, reason, onClose }: Props) {
  const [lookId] = useState(() => newId())
  const look = useQuery(foundLookQuery(message, reason, lookId))
  return (
    <Modal
      open
      wide
      onClose={onClose}
      title={message.chatTitle ?? m.supervision_conversation()}
      description={m.supervision_look_recorded()}
    >
      {look.isPending && <SkeletonRows />}
      {look.error && (
        <LoadError
          error={look.error}
          describe={(text) => m.supervision_error({ message: text })}
          onRetry={() => void look.refetch()}
        />
      )}
      {look.data && <Conversation lookId={look.data} marked={message.messageId} />}
    </Modal>
  )
}
