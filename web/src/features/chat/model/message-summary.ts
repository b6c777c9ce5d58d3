import { m } from '#lib/messages/messages.js'
import type { Attachment } from './chat-types.ts'

type Summarized = { message: string; attachment?: Attachment | null }

/** A message in a line: its text, or what it carries instead. */
export function messageSummary({ message, attachment }: Summarized): string {
  if (message) return message
  return attachment?.kind === 'file' ? attachment.name : m.chat_message_is_image()
}
