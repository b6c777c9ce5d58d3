import { useSyncExternalStore } from 'react'

export type Toast = { id: number; text: string }

/** Long enough to read a sentence; the live region keeps it for screen readers. */
const SHOWN_MS = 5000

let toasts: Toast[] = []
let announcement = ''
let lastId = 0
const listeners = new Set<() => void>()

function changed() {
  for (const listener of listeners) listener()
}

/** A short note that something is done; it goes by itself. Failures belong to notifyError(). */
export function showToast(text: string) {
  const toast = { id: ++lastId, text }
  toasts = [...toasts, toast]
  changed()
  setTimeout(() => {
    toasts = toasts.filter((each) => each !== toast)
    changed()
  }, SHOWN_MS)
}

/** Says something to screen readers only, such as a message that just arrived. */
export function announce(text: string) {
  announcement = announcement === text ? `${text}\u00a0` : text
  changed()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useToasts() {
  return useSyncExternalStore(subscribe, () => toasts)
}

export function useAnnouncement() {
  return useSyncExternalStore(subscribe, () => announcement)
}
