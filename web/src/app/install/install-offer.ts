import { useSyncExternalStore } from 'react'
import { isNativeShell } from '#lib/native/is-native-shell.ts'

/** The browser's `beforeinstallprompt` event. */
type InstallPrompt = Event & { prompt(): Promise<unknown> }

const DISMISSED = 'install-dismissed'
let waiting: InstallPrompt | null = null
const listeners = new Set<() => void>()

/** Listens from the start, because the browser fires it only once. */
export function listenForInstallPrompt() {
  window.addEventListener('beforeinstallprompt', (event) => {
    // The browser's own banner would cover the page; the app shows its own offer instead.
    event.preventDefault()
    change(event as InstallPrompt)
  })
  window.addEventListener('appinstalled', () => change(null))
}

/**
 * How this device can install the app: by a prompt, by hand (iOS Safari has no prompt, and web push only for
 * an installed app), or not at all, also when the member declined.
 */
export function useInstallOffer() {
  const prompt = useSyncExternalStore(subscribe, () => waiting)
  const isDismissed = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(DISMISSED) !== null,
  )
  const kind = isDismissed ? null : prompt ? 'prompt' : isSafariOnIos() ? 'by-hand' : null
  return { kind, install: () => void prompt?.prompt().finally(() => change(null)), dismiss }
}

function dismiss() {
  localStorage.setItem(DISMISSED, new Date().toISOString())
  change(waiting)
}

function isSafariOnIos() {
  const { userAgent, maxTouchPoints } = navigator
  // An iPad reports itself as a Mac, which has no touch screen.
  const isIos =
    /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  const isSafari = /Safari/.test(userAgent) && !/CriOS|FxiOS|EdgiOS|OPiOS/.test(userAgent)
  return isIos && isSafari && !isInstalled()
}

function isInstalled() {
  const { standalone } = navigator as { standalone?: boolean }
  return isNativeShell() || standalone === true || matchMedia('(display-mode: standalone)').matches
}

function change(next: InstallPrompt | null) {
  waiting = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
