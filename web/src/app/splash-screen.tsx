import { m } from '#lib/messages/messages.js'
import { Logo } from '#ui/logo.tsx'
import { Spinner } from '#ui/spinner.tsx'

/** What is seen for the moment before it is known who is there. */
export function SplashScreen() {
  return (
    <div role="status" className="grid h-dvh place-content-center justify-items-center gap-6">
      <Logo className="size-16" />
      <Spinner className="text-muted" />
      <span className="sr-only">{m.ui_loading()}</span>
    </div>
  )
}
