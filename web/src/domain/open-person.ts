import { useSyncExternalStore } from 'react'

type OpenPerson = { id: string; name: string }

let open: OpenPerson | null = null
const listeners = new Set<() => void>()

function show(next: OpenPerson | null) {
  open = next
  for (const listener of listeners) listener()
}

/** Opens the profile sheet of a member, from wherever their name or picture was pressed. */
export function openPerson(person: OpenPerson): void {
  show(person)
}

export function closePerson(): void {
  show(null)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whose sheet is open. A sheet that it was opened from steps aside meanwhile. */
export function useOpenPerson(): OpenPerson | null {
  return useSyncExternalStore(subscribe, () => open)
}
