import { useSyncExternalStore } from 'react'

let readingId: string | null = null
const listeners = new Set<() => void>()

/** Sets the chat on screen. Returns a function that unsets it. */
export function startReading(chatId: string): () => void {
  change(chatId)
  return () => {
    if (readingId === chatId) change(null)
  }
}

/** The chat on screen: nothing in it counts as unread, even before the server knows. */
export function useReadingChat(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readingId,
  )
}

function change(chatId: string | null) {
  readingId = chatId
  for (const listener of listeners) listener()
}
