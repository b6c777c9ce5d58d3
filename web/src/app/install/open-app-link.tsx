import { useState } from 'react'
import { useLocation } from 'react-router'
import { APP_ID, PRODUCT_NAME } from '#domain/product.ts'
import { m } from '#lib/messages/messages.js'
import { isNativeShell } from '#lib/native/is-native-shell.ts'
import { FROM_APP } from '#lib/server/site-address.ts'
import { buttonLook } from '#ui/button.tsx'

/** A mail requested in the native app opened in a browser; this links back to the app. */
export function OpenAppLink() {
  // Read once: only the address from the mail has the marker, later pages do not.
  const [isFromApp] = useState(
    () => !isNativeShell() && new URLSearchParams(location.search).has(FROM_APP),
  )
  const { pathname } = useLocation()
  if (!isFromApp) return null
  // By then the password is set and the address confirmed; the app asks the member to log in.
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
