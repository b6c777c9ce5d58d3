import { m } from '#lib/messages/messages.js'
import { Logo } from '#ui/logo.tsx'
import { Spinner } from '#ui/spinner.tsx'

/** Shown until the session has been read. */
export function SplashScreen() {
  return (
    <div role="status" className="grid h-dvh place-content-center justify-items-center gap-6">
      <Logo className="size-16" />
      <Spinner className="text-muted" />
      <span className="sr-only">{m.ui_loading()}</span>
    </div>
  )
}
