import { useState } from 'react'
import { useLocation } from 'react-router'
import { isNativeShell } from '#lib/is-native-shell.ts'
import { m } from '#lib/messages/messages.js'
import { APP_ID, PRODUCT_NAME } from '#lib/product.ts'
import { FROM_APP } from '#lib/site-address.ts'
import { buttonLook } from '#ui/button.tsx'

/** A mail that was asked for in the native app opened a browser: from here it goes back. */
export function OpenAppLink() {
  // Read once: the mark is in the address the mail led to, not on the pages after it.
  const [isFromApp] = useState(
    () => !isNativeShell() && new URLSearchParams(location.search).has(FROM_APP),
  )
  const { pathname } = useLocation()
  if (!isFromApp) return null
  // The password is set and the address confirmed by then; the app asks its member to log in.
  const page = pathname === '/profile' ? 'profile' : ''
  return (
    <div className="fixed inset-x-4 bottom-6 z-40 mx-auto flex max-w-md items-center gap-3 rounded-card border border-line bg-card p-4 shadow-float">
      <p className="flex-1 text-small">{m.app_when_done()}</p>
      <a href={`${APP_ID}://${page}`} className={buttonLook('tint', 'sm')}>
        {m.app_open_in_app({ product: PRODUCT_NAME })}
      </a>
    </div>
  )
}
