import { m } from '#lib/messages/messages.js'
import { isOffline, isUnreachable, messageOf, NeedsConnection } from '#lib/server/notify-error.ts'
import { ErrorState } from './error-state.tsx'

type LoadErrorProps = {
  error: unknown
  /** The product's sentence around the message; without one, the message alone. */
  describe?: (message: string) => string
  onRetry: () => void
  /** It fills the screen, so its title is the screen's heading. */
  isPageTitle?: boolean
}

/** What every screen says when it has nothing to show: offline the same words everywhere, else what went wrong. */
export function LoadError({ error, describe, ...rest }: LoadErrorProps) {
  if (error instanceof NeedsConnection) {
    return <ErrorState title={titleOf(error.isOffline)} text={error.message} {...rest} />
  }
  if (isOffline(error)) {
    return <ErrorState title={titleOf(true)} text={m.ui_connect_to_see()} {...rest} />
  }
  const message = messageOf(error)
  return (
    <ErrorState
      {...(isUnreachable(error) && { title: titleOf(false) })}
      text={describe?.(message) ?? message}
      {...rest}
    />
  )
}

const titleOf = (isOffline: boolean) => (isOffline ? m.ui_offline_title() : m.ui_no_answer_title())
