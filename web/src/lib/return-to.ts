import { appPath } from './app-path.ts'

const KEY = 'return-to'
/** Where people wait until an admin lets them in; nothing to return to. */
export const WAITING_PATH = '/waiting'

export type ReturnTo = { path: string; state: unknown }

/**
 * Keeps the page a signed-out visitor requested, through sign-up and e-mail links, until the next login in
 * this tab.
 */
export function rememberReturnTo({ path, state }: ReturnTo) {
  if (path.split(/[?#]/)[0] === WAITING_PATH) return
  sessionStorage.setItem(KEY, JSON.stringify({ path: appPath(path), state }))
}

/** The page to open after login: the requested one, else Home. */
export function getReturnTo(): ReturnTo {
  const stored = sessionStorage.getItem(KEY)
  return stored ? (JSON.parse(stored) as ReturnTo) : { path: '/home', state: null }
}

export function clearReturnTo() {
  sessionStorage.removeItem(KEY)
}
