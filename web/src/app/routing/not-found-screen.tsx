import { Compass } from 'lucide-react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Screen } from '#ui/screen.tsx'

/** An address without a page (product.md P23). */
export function NotFoundScreen() {
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
