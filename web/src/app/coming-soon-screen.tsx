import { Hammer } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { EmptyState } from '#ui/empty-state.tsx'
import { Screen } from '#ui/screen.tsx'

/** Any tab that has no page yet. */
export function ComingSoonScreen() {
  return (
    <Screen>
      <div className="grid min-h-[70dvh] place-content-center">
        <EmptyState
          isPageTitle
          picture={<Hammer />}
          title={m.app_coming_soon()}
          text={m.app_under_development()}
        />
      </div>
    </Screen>
  )
}
