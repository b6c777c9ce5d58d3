import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import type { Hold } from './records-queries.ts'

/** What a hold is on, why, and since when. */
export function HoldRow({ hold, onLift }: { hold: Hold; onLift: () => void }) {
  const isOver = hold.lifted_at !== null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-semibold wrap-anywhere">{heldName(hold)}</p>
        <p className="text-small wrap-anywhere">{hold.reason}</p>
        <p className="text-note text-muted">
          {hold.name && `${hold.chat_id ? m.records_on_chat() : m.records_on_member()} · `}
          {m.records_placed_by({
            name: hold.placed_by_name ?? m.records_server(),
            time: formatMoment(hold.placed_at),
          })}
        </p>
        {hold.lifted_at && (
          <p className="text-note wrap-anywhere text-muted">
            {m.records_lifted_by({
              name: hold.lifted_by_name ?? m.records_server(),
              time: formatMoment(hold.lifted_at),
            })}
            {hold.lift_reason && `: ${hold.lift_reason}`}
          </p>
        )}
      </div>
      <Chip tone={isOver ? 'quiet' : 'primary'}>
        {isOver ? m.records_is_lifted() : m.records_lasts()}
      </Chip>
      {!isOver && (
        <Button
          variant="danger-ghost"
          size="sm"
          aria-label={m.records_lift_named({ name: heldName(hold) })}
          onClick={onLift}
        >
          {m.records_lift()}
        </Button>
      )}
    </div>
  )
}

/** The member or chat that is held; both may be gone. */
export function heldName({ name, chat_id }: Hold): string {
  if (name) return name
  return chat_id ? m.records_a_chat() : m.records_former_member()
}
