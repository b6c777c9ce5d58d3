import type { Attachment } from '#features/chat/model/chat-types.ts'

/** Why a message was refused for good; a lost connection is not a refusal. */
export type SendState = { step: 'waiting' } | { step: 'failed'; reason: string }

/** A message the server has not confirmed yet. Its id is generated here and kept by the server. */
export type OutboxEntry = {
  id: string
  memberId: string
  chatId: string
  text: string
  writtenAt: string
  replyTo: string | null
  /** The message it repeats; entries of older versions of the app have none. */
  forwardOf?: string
  mentions: string[]
  image: OutboxImage | null
  state: SendState
}

/** An image or a file to upload. A forwarded one is copied on the server, with the member's own rights. */
export type OutboxImage = { attachment: Attachment } & ({ file: Blob } | { copyOf: string })

/** What shows it until it is sent. */
export function pictureOf(image: OutboxImage): { attachment: Attachment; file?: Blob } {
  if ('file' in image) return image
  return { attachment: { ...image.attachment, path: image.copyOf } }
}
