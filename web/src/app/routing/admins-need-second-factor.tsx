import { ShieldAlert } from 'lucide-react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Screen } from '#ui/screen.tsx'

/** For an admin of a team that asks admins for a second factor, until they have shown one (product.md P18). */
export function AdminsNeedSecondFactor() {
  return (
    <Screen>
      <div className="grid min-h-[70dvh] place-content-center">
        <EmptyState
          isPageTitle
          picture={<ShieldAlert />}
          title={m.app_admins_need_two_step()}
          text={m.app_admins_need_two_step_text()}
          action={
            <Link to="/profile" className={buttonLook('tint')}>
              {m.app_admins_need_two_step_go()}
            </Link>
          }
        />
      </div>
    </Screen>
  )
}
