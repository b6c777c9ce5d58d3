import { useSyncExternalStore } from 'react'
import { getLocale, setLocale, type Locale } from '#lib/messages/runtime.js'
import { translateErrors } from './notify-error.ts'

const listeners = new Set<() => void>()

/** Makes the document and what the server answers speak the language in use. */
export async function applyLocale() {
  document.documentElement.lang = getLocale()
  // English is the server's own; the first load does without the rest.
  const words = getLocale() === 'en' ? undefined : (await import('./server-words.ts')).serverWords
  // By the time they are here the member may have gone back to English.
  translateErrors(getLocale() === 'en' ? undefined : words)
}

/** Changes the language of every text at once, without loading the page again. */
export function chooseLocale(locale: Locale) {
  void setLocale(locale, { reload: false })
  void applyLocale()
  for (const listener of listeners) listener()
}

/** The language in use; whoever calls this is drawn again when it changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => getLocale(),
  )
}
