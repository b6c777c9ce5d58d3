import { m } from '#lib/messages/messages.js'
import { ErrorState } from '#ui/error-state.tsx'

/** The server that knows the backend's address did not answer. */
export function StartFailed() {
  return (
    <main className="grid min-h-dvh place-content-center">
      <ErrorState isPageTitle text={m.app_cannot_start()} onRetry={() => location.reload()} />
    </main>
  )
}
