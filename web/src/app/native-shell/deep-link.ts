import { App } from '@capacitor/app'
import { mailedLinkOf, redeem } from './mailed-link.ts'

/** Mailed links carry the session in their fragment, which only a start of the app reads. */
const CARRIES_SESSION = /^#.*\b(access_token|error_code)=/

/** The path of the app that an address opened from outside means, be it `scheme://chat/1` or `https://…/chat/1`. */
export function deepLinkOf(address: string): { path: string; needsRestart: boolean } | null {
  if (!URL.canParse(address)) return null
  const { protocol, host, pathname, search, hash } = new URL(address)
  // Browsers disagree on whether a scheme of our own has a host.
  const page = protocol.startsWith('http') ? pathname : host + pathname
  const path = `/${page.replace(/^\/+/, '')}${search}${hash}`
  return { path, needsRestart: CARRIES_SESSION.test(hash) }
}

/** Links that open the app lead to their page, from a cold start as well. */
export async function followDeepLinks() {
  await App.addListener('appUrlOpen', ({ url }) => {
    const mailed = URL.canParse(url) ? mailedLinkOf(new URL(url)) : null
    if (mailed) {
      redeem(mailed).then(open, (error: unknown) => console.error('The link was not read', error))
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
