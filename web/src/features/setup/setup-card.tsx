import { X } from 'lucide-react'
import { useId, useState } from 'react'
import type { SetupChecklist } from '#domain/setup-checklist.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { focusOn } from '#ui/focus-place.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { showToast } from '#ui/toast-store.ts'
import { ExplainedItemSheet } from './explained-item-sheet.tsx'
import { setupItems, type ExplainedItem } from './setup-items.ts'
import { SetupRow } from './setup-row.tsx'
import { usePutAway } from './use-setup-change.ts'

/** Of a long list nobody starts; the rest is one press away. */
const NEXT_STEPS = 3

type Props = {
  checklist: SetupChecklist
  /** For a list that was fetched from further down. */
  takesFocus?: boolean
}

/** What is left of the set-up, the next steps first. */
export function SetupCard({ checklist, takesFocus = false }: Props) {
  const titleId = useId()
  const [showsAll, setShowsAll] = useState(false)
  const [explained, setExplained] = useState<ExplainedItem['id'] | null>(null)
  const putAway = usePutAway()
  const items = setupItems(checklist)
  const open = items.filter(({ isDone }) => !isDone)
  const done = items.length - open.length
  const shown = showsAll ? items : open.slice(0, NEXT_STEPS)
  const item = items.find(({ id }) => id === explained) as ExplainedItem | undefined

  return (
    <Card
      ref={takesFocus ? focusOn : undefined}
      role="region"
      aria-labelledby={titleId}
      className="grid grid-cols-1 gap-3"
    >
      <header className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 id={titleId} className="text-lead font-bold">
            {m.setup_title()}
          </h2>
          <p className="text-small text-muted">{m.setup_progress({ done, total: items.length })}</p>
        </div>
        <IconButton
          label={m.setup_put_away()}
          icon={<X />}
          variant="quiet"
          className="-mt-1.5 -mr-2"
          disabled={putAway.isPending}
          onClick={() =>
            putAway.mutate(true, {
              onSuccess: () => showToast(m.setup_was_put_away(), () => putAway.mutate(false)),
            })
          }
        />
      </header>
      <ProgressBar label={m.setup_title()} value={done} max={items.length} />
      <ul className="-mx-2 grid grid-cols-1 lg:grid-cols-3">
        {shown.map((each) => (
          <li key={each.id}>
            <SetupRow item={each} onExplain={setExplained} />
          </li>
        ))}
      </ul>
      {(showsAll || items.length > shown.length) && (
        <Button
          variant="plain"
          size="sm"
          className="-mb-2 -ml-2 justify-self-start"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? m.setup_show_next() : m.setup_show_all({ total: items.length })}
        </Button>
      )}
      {item && (
        <ExplainedItemSheet
          item={item}
          isConfirmable={checklist.confirmable.includes(item.id)}
          onClose={() => setExplained(null)}
        />
      )}
    </Card>
  )
}
