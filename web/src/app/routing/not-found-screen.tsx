import { Compass } from 'lucide-react'
import { Link, Navigate, useLocation } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Screen } from '#ui/screen.tsx'

/** Where people try to sign in; whoever sees this has. */
const SIGN_IN = ['/login', '/log-in', '/signin', '/sign-in']

/** An address without a page (product.md P23). */
export function NotFoundScreen() {
  const { pathname } = useLocation()
  if (SIGN_IN.includes(pathname)) return <Navigate to="/home" replace />
  return (
    <Screen>
      <div className="grid min-h-[70dvh] place-content-center">
        <EmptyState
          isPageTitle
          picture={<Compass />}
          title={m.app_not_found()}
          text={m.app_not_found_text()}
          action={
            <Link to="/home" className={buttonLook('tint')}>
              {m.ui_go_home()}
            </Link>
          }
        />
      </div>
    </Screen>
  )
}
