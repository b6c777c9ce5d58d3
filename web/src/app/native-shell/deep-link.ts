import { App } from '@capacitor/app'
import { appPath } from '#lib/app-path.ts'
import { mailedLinkOf, redeem } from './mailed-link.ts'

/** Mailed links carry the session in the fragment, which is only read when the app starts. */
const CARRIES_SESSION = /^#.*\b(access_token|error_code)=/

/** The app path of an address opened from outside: `scheme://chat/1` or `https://…/chat/1`. */
export function deepLinkOf(address: string): { path: string; needsRestart: boolean } | null {
  if (!URL.canParse(address)) return null
  const { protocol, host, pathname, search, hash } = new URL(address)
  // Browsers disagree on whether a custom scheme has a host.
  const page = protocol.startsWith('http') ? pathname : host + pathname
  const path = appPath(page + search + hash)
  return { path, needsRestart: CARRIES_SESSION.test(hash) }
}

/** Routes deep links to their page, on a cold start too. */
export async function followDeepLinks() {
  await App.addListener('appUrlOpen', ({ url }) => {
    const mailed = URL.canParse(url) ? mailedLinkOf(new URL(url)) : null
    if (mailed) {
      redeem(mailed).then(
        (path) => path !== null && open(path),
        (error: unknown) => console.error('The link was not read', error),
      )
      return
    }
    const link = deepLinkOf(url)
    if (!link) return
    if (link.needsRestart) return location.replace(link.path)
    open(link.path)
  })
}

function open(path: string) {
  window.dispatchEvent(new CustomEvent('navigate-to-path', { detail: { path } }))
}
