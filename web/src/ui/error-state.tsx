import { CloudOff } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

type ErrorStateProps = {
  title?: string
  text: string
  onRetry?: () => void
  /** It fills the screen, so its title is the screen's heading. */
  isPageTitle?: boolean
}

/** Loading failed: what happened, and a retry button. */
export function ErrorState({ title, text, onRetry, isPageTitle }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        {...(isPageTitle && { isPageTitle })}
        picture={<CloudOff />}
        title={title ?? (navigator.onLine ? m.ui_something_went_wrong() : m.ui_offline_title())}
        text={text}
        action={
          onRetry && (
            <Button variant="tint" onClick={onRetry}>
              {m.ui_try_again()}
            </Button>
          )
        }
      />
    </div>
  )
}
