import { m } from '#lib/messages/messages.js'
import { ErrorState } from '#ui/error-state.tsx'

/** Shown when `/config.json`, which names the backend, could not be loaded. */
export function StartFailed() {
  return (
    <main className="grid min-h-dvh place-content-center">
      <ErrorState isPageTitle text={m.app_cannot_start()} onRetry={() => location.reload()} />
    </main>
  )
}
