import { ListChecks } from 'lucide-react'
import type { SetupChecklist } from '#domain/setup-checklist.ts'
import { m } from '#lib/messages/messages.js'
import { RowButton } from '#ui/row-button.tsx'
import { setupItems } from './setup-items.ts'
import { usePutAway } from './use-setup-change.ts'

type Props = { checklist: SetupChecklist; onFetch: () => void }

/** Fetches the list that was put away, while something is left to do. */
export function SetupReminder({ checklist, onFetch }: Props) {
  const putAway = usePutAway()
  const items = setupItems(checklist)
  const done = items.filter(({ isDone }) => isDone).length
  if (!checklist.is_put_away || done === items.length) return null
  return (
    <RowButton
      variant="alone"
      icon={<ListChecks />}
      label={m.setup_fetch()}
      detail={m.setup_progress_short({ done, total: items.length })}
      busyText={putAway.isPending && m.setup_fetch()}
      onClick={() => {
        onFetch()
        putAway.mutate(false)
      }}
    />
  )
}
