import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { readAgain } from '#data/live/read-again.ts'
import { chatQuery, type Chat, type Pin } from '#features/chat/model/chat-queries.ts'
import type { Message } from '#features/chat/model/chat-types.ts'

const broadcastPins = v.object({
  pins: v.array(
    v.object({
      message_id: v.string(),
      created_by: v.string(),
      created_at: v.string(),
      message: v.object({ sender_id: v.string(), sent_at: v.string(), message: v.string() }),
    }),
  ),
})

/** What is pinned in the chat, the latest first. */
export function pinsOf({ pins = [] }: Chat): Pin[] {
  return pins.toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
}

export function isPinned({ pins }: Chat, messageId: string): boolean {
  return pins?.some((pin) => pin.message_id === messageId) ?? false
}

export function changePins(
  client: QueryClient,
  chatId: string,
  change: (pins: readonly Pin[]) => Pin[],
): void {
  const query = chatQuery(chatId)
  client.setQueryData(query.queryKey, (chat) => chat && { ...chat, pins: change(chat.pins ?? []) })
  // A response in flight may be older than this change.
  if (client.isFetching(query) > 0) readAgain(client, query)
}

/** A broadcast has the whole list. */
export function notePins(client: QueryClient, chatId: string, payload: unknown): void {
  const parsed = v.safeParse(broadcastPins, payload)
  if (!parsed.success) return console.warn('Ignored a broadcast that has no pins', parsed.issues)
  changePins(client, chatId, () => parsed.output.pins)
}

/** The bar shows an edited message as it is now. */
export function notePinnedText(client: QueryClient, { id, chat_id, message }: Message): void {
  const chat = client.getQueryData(chatQuery(chat_id).queryKey)
  if (!chat || !isPinned(chat, id)) return
  changePins(client, chat_id, (pins) =>
    pins.map((pin) =>
      pin.message_id === id ? { ...pin, message: { ...pin.message, message } } : pin,
    ),
  )
}
