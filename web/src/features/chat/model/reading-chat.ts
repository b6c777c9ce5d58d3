import { useSyncExternalStore } from 'react'

let readingId: string | null = null
const listeners = new Set<() => void>()

/** Marks of one chat are sent one after the other. */
export const readMarksOf = (chatId: string) => ({ id: `read ${chatId}` })

/** Sets the chat on screen. Returns a function that unsets it. */
export function startReading(chatId: string): () => void {
  change(chatId)
  return () => {
    if (readingId === chatId) change(null)
  }
}

/**
 * Resolves once the chat is no longer on screen: in the same commit its last read mark is handed over, so what is sent
 * then comes after it.
 */
export function untilNotReading(chatId: string): Promise<void> {
  return new Promise((resolve) => {
    function check() {
      if (readingId === chatId) return
      listeners.delete(check)
      resolve()
    }
    listeners.add(check)
    check()
  })
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
