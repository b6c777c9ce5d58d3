import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { OUTCOMES, type Outcome, type ReviewItem } from './supervision-queries.ts'
import { outcomeName } from './supervision-words.ts'
import { useSupervisionChange } from './use-supervision-change.ts'

const LOOKS = { fine: 'tint', follow_up: 'ghost', violation: 'danger' } as const

/** A note with what it leads to. The event's id stays the same until it is stored, so pressing twice counts once. */
export function DecisionForm({ item, onDone }: { item: ReviewItem; onDone: () => void }) {
  const [note, setNote] = useState('')
  const [eventId, setEventId] = useState(() => newId())
  const event = { item_id: item.id, note, event_id: eventId }
  const decide = useSupervisionChange(
    async (outcome: Outcome) => {
      await callFunction('decide_review_item', { ...event, outcome, if_version: item.version })
      onDone()
    },
    (outcome) => m.supervision_was_decided({ outcome: outcomeName(outcome) }),
  )
  const reopen = useSupervisionChange(
    () => callFunction('reopen_review_item', { ...event, if_version: item.version }),
    m.supervision_was_reopened,
  )
  const write = useSupervisionChange(
    () => callFunction('note_review_item', event),
    m.supervision_was_noted,
  )
  const beginAnew = {
    onSuccess: () => {
      setNote('')
      setEventId(newId())
    },
  }
  const isBusy = decide.isPending || reopen.isPending || write.isPending
  return (
    <div className="grid gap-3">
      <UnsavedChanges when={note !== '' && !decide.isSuccess} />
      <TextArea
        label={item.closed_at ? m.supervision_reopen_why() : m.supervision_note()}
        hint={m.supervision_note_hint()}
        maxLength={2000}
        value={note}
        onChange={(change) => setNote(change.target.value)}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        {!item.closed_at &&
          OUTCOMES.map((outcome) => (
            <Button
              key={outcome}
              variant={LOOKS[outcome]}
              isWaiting={decide.isPending && decide.variables === outcome}
              disabled={isBusy}
              onClick={() => decide.mutate(outcome)}
            >
              {outcomeName(outcome)}
            </Button>
          ))}
        {item.closed_at && (
          <Button
            variant="ghost"
            disabled={!note.trim()}
            isWaiting={reopen.isPending}
            onClick={() => reopen.mutate(undefined, beginAnew)}
          >
            {m.supervision_reopen()}
          </Button>
        )}
        <Button
          variant="plain"
          disabled={!note.trim() || isBusy}
          onClick={() => write.mutate(undefined, beginAnew)}
        >
          {m.supervision_note_only()}
        </Button>
      </div>
    </div>
  )
}
