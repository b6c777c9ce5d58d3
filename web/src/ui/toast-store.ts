import { useSyncExternalStore } from 'react'

export type Toast = {
  id: number
  text: string
  undo?: (() => void) | undefined
  about?: string | undefined
}

/** Long enough to read a sentence; the live region keeps it for screen readers. */
const SHOWN_MS = 5000
/** Long enough to reach it by keyboard too. */
const SHOWN_WITH_UNDO_MS = 10_000

let toasts: Toast[] = []
let announcement = ''
let lastId = 0
const listeners = new Set<() => void>()

function changed() {
  for (const listener of listeners) listener()
}

/**
 * Shows a short success message that disappears by itself. Use notifyError() for failures.
 * @param undo what its Undo does; pressing that ends the toast
 * @param about what it is about, such as an id: an earlier one about the same goes, and its Undo with it
 */
export function showToast(text: string, undo?: () => void, about?: string) {
  const toast = { id: ++lastId, text, undo, about }
  toasts = [...toasts.filter((each) => about === undefined || each.about !== about), toast]
  changed()
  setTimeout(() => dismissToast(toast.id), undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS)
}

export function dismissToast(id: number) {
  toasts = toasts.filter((each) => each.id !== id)
  changed()
}

/** Removes the toasts that have an Undo; called on sign-out, so that the next member cannot undo what this one did. */
export function forgetUndos() {
  toasts = toasts.filter(({ undo }) => !undo)
  changed()
}

/** Announces something to screen readers only, such as a new message. */
export function announce(text: string) {
  const said = announcement === text ? `${text}\u00a0` : text
  announcement = said
  changed()
  // Once read out it is history, and nobody should come across it later.
  setTimeout(() => {
    if (announcement !== said) return
    announcement = ''
    changed()
  }, SHOWN_MS)
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
