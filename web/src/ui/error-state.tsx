import { CloudOff } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Loading failed: what happened, and a way to try again. */
export function ErrorState({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        picture={<CloudOff />}
        title={m.ui_something_went_wrong()}
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
