import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'

type SelectionBarProps = {
  /** How many are selected; undefined while none can be. */
  count: number | undefined
  isBusy: boolean
  onStart: () => void
  onAll: () => void
  onEnd: () => void
  onResend: () => void
  /** Undefined if nothing selected can be taken back. */
  onRevoke: (() => void) | undefined
}

/** What can be done with several invitations at once. */
export function SelectionBar({ count, isBusy, ...on }: SelectionBarProps) {
  if (count === undefined) {
    return (
      <Button
        variant="ghost"
        size="sm"
        className="justify-self-start self-start"
        onClick={on.onStart}
      >
        {m.invitations_select()}
      </Button>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="mr-2 font-semibold tabular-nums">
        {m.invitations_selected({ count: formatCount(count) })}
      </p>
      <Button
        size="sm"
        isWaiting={count === 0}
        busyText={isBusy && m.invitations_sending()}
        onClick={on.onResend}
      >
        {m.invitations_resend()}
      </Button>
      <Button
        variant="danger-ghost"
        size="sm"
        isWaiting={isBusy || !on.onRevoke}
        onClick={on.onRevoke}
      >
        {m.invitations_revoke()}
      </Button>
      <Button variant="ghost" size="sm" onClick={on.onAll}>
        {m.invitations_select_all()}
      </Button>
      <Button variant="plain" size="sm" onClick={on.onEnd}>
        {m.invitations_select_end()}
      </Button>
    </div>
  )
}
