import { useSyncExternalStore } from 'react'
import { getLocale, setLocale, type Locale } from '#lib/messages/runtime.js'
import { translateErrors } from '#lib/server/notify-error.ts'
import { plainWords } from './plain-words.ts'

const listeners = new Set<() => void>()

/** Switches the document and server texts to the current language. */
export async function applyLocale() {
  document.documentElement.lang = getLocale()
  const locale = getLocale()
  const words = await loadServerWords(locale)
  // By the time they load the member may have switched to another language.
  if (getLocale() === locale) translateErrors(words)
}

/** None where they cannot be loaded: what the server says then stays. English, its own language, needs little. */
const loadServerWords = async (locale: Locale) => {
  if (locale === 'en') return plainWords
  try {
    return (await import('./server-words.ts')).serverWords
  } catch {
    return undefined
  }
}

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
