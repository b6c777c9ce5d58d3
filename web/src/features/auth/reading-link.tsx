import { m } from '#lib/messages/messages.js'
import { Spinner } from '#ui/spinner.tsx'

/** Stands while the token of a mailed link is being read. */
export function ReadingLink() {
  return (
    <main role="status" className="grid min-h-dvh place-content-center text-muted">
      <Spinner className="size-8" />
      <span className="sr-only">{m.ui_loading()}</span>
    </main>
  )
}
