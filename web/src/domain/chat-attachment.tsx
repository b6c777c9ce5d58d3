import { lazy, Suspense } from 'react'
import type { Attachment } from './attachments.ts'
import { ChatImage } from './chat-image.tsx'

// Loaded with the first message that has one.
const ChatFile = lazy(async () => ({ default: (await import('./chat-file.tsx')).ChatFile }))

type ChatAttachmentProps = {
  attachment: Attachment
  senderName: string
  /** Its bytes, before it is sent. */
  file?: Blob
  /** A supervisor's look: what it shows is forgotten with it. */
  lookId?: string
}

/** The image or file of a message. */
export function ChatAttachment({ attachment, ...rest }: ChatAttachmentProps) {
  if (attachment.kind !== 'file') return <ChatImage attachment={attachment} {...rest} />
  return (
    <Suspense fallback={<div className="my-1 h-14 w-60 max-w-full rounded-tight bg-current/8" />}>
      <ChatFile attachment={attachment} {...rest} />
    </Suspense>
  )
}
