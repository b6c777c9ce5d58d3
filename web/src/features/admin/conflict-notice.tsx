import { TriangleAlert } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import type { ManagedItem } from './managed-item.ts'

type Props = {
  /** The saved version; null if the item no longer exists. */
  current: ManagedItem | null
  onTheirs: (current: ManagedItem) => void
  onMine: () => void
}

/** Lets the second of two admins resolve the conflict, instead of the last write winning. */
export function ConflictNotice({ current, onTheirs, onMine }: Props) {
  const isGone = !current?.is_active
  return (
    <div role="alert" className="grid gap-3 rounded-card bg-danger-tint p-4">
      <p className="flex items-center gap-2 font-semibold text-danger-text">
        <TriangleAlert aria-hidden="true" className="size-5 flex-none" />
        {m.admin_conflict_title()}
      </p>
      <p>{isGone ? m.admin_conflict_gone() : m.admin_conflict_text()}</p>
      <div className="flex flex-wrap gap-3">
        {current && !isGone && (
          <Button variant="ghost" onClick={() => onTheirs(current)}>
            {m.admin_conflict_theirs()}
          </Button>
        )}
        <Button onClick={onMine}>
          {isGone ? m.admin_conflict_restore() : m.admin_conflict_mine()}
        </Button>
      </div>
    </div>
  )
}
