import { useSyncExternalStore } from 'react'
import { getLocale, setLocale, type Locale } from '#lib/messages/runtime.js'
import { translateErrors } from '#lib/supabase/notify-error.ts'

const listeners = new Set<() => void>()

/** Switches the document and server texts to the current language. */
export async function applyLocale() {
  document.documentElement.lang = getLocale()
  // English is the server's own language; the first load skips the translations.
  const words = getLocale() === 'en' ? undefined : await loadServerWords()
  // By the time they load the member may have switched back to English.
  translateErrors(getLocale() === 'en' ? undefined : words)
}

/** None where they cannot be loaded: what the server says then stays English. */
const loadServerWords = () =>
  import('./server-words.ts').then(
    ({ serverWords }) => serverWords,
    () => undefined,
  )

/** Changes the language of all texts at once, without a page load. */
export function chooseLocale(locale: Locale) {
  void setLocale(locale, { reload: false })
  void applyLocale()
  for (const listener of listeners) listener()
}

/** The current language; rerenders the caller when it changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => getLocale(),
  )
}
