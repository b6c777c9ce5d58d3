import type { Attachment } from '#features/chat/chat-types.ts'

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
  mentions: string[]
  image: OutboxImage | null
  state: SendState
}

export type OutboxImage = { file: Blob; attachment: Attachment }
