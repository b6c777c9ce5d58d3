import { m } from '#lib/messages/messages.js'
import { Spinner } from '#ui/spinner.tsx'

/** Shown while the token of a mailed link is being read. */
export function ReadingLink() {
  return (
    <main role="status" className="grid min-h-dvh place-content-center text-muted">
      <Spinner className="size-8" />
      <span className="sr-only">{m.ui_loading()}</span>
    </main>
  )
}

/** Why a mailed link brought no session: the auth service reports it in the URL fragment. */
export function linkErrorOf(hash: string): string | undefined {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  return params.get('error_code') ?? params.get('error') ?? undefined
}

/** What a person reads about it. */
export function linkErrorText(linkError: string): string {
  return linkError === 'user_banned' ? m.server_banned() : m.auth_link_expired()
}
