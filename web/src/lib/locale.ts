import { useSyncExternalStore } from 'react'
import { getLocale, setLocale, type Locale } from '#lib/messages/runtime.js'

const listeners = new Set<() => void>()

/** Changes the language of every text at once, without loading the page again. */
export function chooseLocale(locale: Locale) {
  void setLocale(locale, { reload: false })
  document.documentElement.lang = locale
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
