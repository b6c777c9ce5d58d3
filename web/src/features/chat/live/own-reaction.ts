import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import type { MessageWindow } from '#features/chat/model/message-window.ts'

const ownReaction = v.object({ message_id: v.string(), emoji: v.string(), is_on: v.boolean() })

/**
 * The member reacted on another device. The count comes with the message; that it is the member's own, with
 * this event.
 */
export function noteOwnReaction(client: QueryClient, payload: unknown): void {
  const parsed = v.safeParse(ownReaction, payload)
  if (!parsed.success) return
  const { message_id, emoji, is_on } = parsed.output
  client.setQueriesData<unknown>({ queryKey: ['chat_messages'] }, (data: unknown) => {
    if (!isWindow(data)) return data
    return {
      ...data,
      messages: data.messages.map((message) => {
        if (message.id !== message_id) return message
        const others = (message.my_reactions ?? []).filter((each) => each !== emoji)
        return { ...message, my_reactions: is_on ? [...others, emoji] : others }
      }),
    }
  })
}

// Search results and single messages are cached under the same table name.
function isWindow(data: unknown): data is MessageWindow {
  return typeof data === 'object' && data !== null && 'messages' in data
}
