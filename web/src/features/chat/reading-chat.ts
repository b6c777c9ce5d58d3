import { useSyncExternalStore } from 'react'

let readingId: string | null = null
const listeners = new Set<() => void>()

/** Says which chat is in sight right now. Returns how to take it back. */
export function startReading(chatId: string): () => void {
  change(chatId)
  return () => {
    if (readingId === chatId) change(null)
  }
}

/** The chat in sight: nothing in it counts as unread, even while the server has yet to hear so. */
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
