import { useIsMutating } from '@tanstack/react-query'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { OUTCOMES, type Outcome, type ReviewEvent, type ReviewItem } from './supervision-queries.ts'
import { outcomeName } from './supervision-words.ts'
import { SUPERVISION_CHANGE, useSupervisionChange } from './use-supervision-change.ts'

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
  const userId = useUserId()
  // Somebody else may be about to decide.
  const other = item.assigned_to === userId ? null : item.assigned_name
  const [asked, setAsked] = useState<Outcome | null>(null)
  const beginNext = () => {
    setNote('')
    setEventId(newId())
  }
  // A change of who takes care of it makes a version of the item, too, which must be read before the next.
  const isBusy = useIsMutating({ mutationKey: SUPERVISION_CHANGE }) > 0
  const isClosed = item.closed_at !== null
  // No button turns into another while it is about to be pressed: what was decided meanwhile is read first.
  const [shownAsClosed, setShownAsClosed] = useState(isClosed)
  const [isReasonMissing, setIsReasonMissing] = useState(false)
  const changed = (item.events as ReviewEvent[]).findLast(
    ({ action }) => action === (isClosed ? 'decided' : 'reopened'),
  )
  const actor = changed?.actor ?? ''
  const hasChanged = isClosed !== shownAsClosed && !isBusy
  return (
    <div className="grid gap-3">
      <UnsavedChanges when={note !== '' && !decide.isSuccess} />
      <TextArea
        label={m.supervision_note()}
        hint={shownAsClosed ? m.supervision_reopen_hint() : m.supervision_note_hint()}
        error={isReasonMissing && !note.trim() ? m.supervision_look_missing() : undefined}
        maxLength={2000}
        value={note}
        onChange={(change) => setNote(change.target.value)}
      />
      {hasChanged && (
        <div role="status" className="grid gap-3 rounded-field bg-tint p-3">
          <p>
            {isClosed
              ? m.supervision_decided_meanwhile({ actor, outcome: outcomeName(item.outcome ?? '') })
              : m.supervision_reopened_meanwhile({ actor })}
          </p>
          <Button variant="ghost" onClick={() => setShownAsClosed(isClosed)}>
            {m.supervision_go_on()}
          </Button>
        </div>
      )}
      <div
        hidden={hasChanged}
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3"
      >
        {!shownAsClosed &&
          OUTCOMES.map((outcome) => (
            <Button
              key={outcome}
              variant={LOOKS[outcome]}
              isWaiting={decide.isPending && decide.variables === outcome}
              disabled={isBusy}
              onClick={() => (other ? setAsked(outcome) : decide.mutate(outcome))}
            >
              {outcomeName(outcome)}
            </Button>
          ))}
        {shownAsClosed && (
          <Button
            variant="ghost"
            isWaiting={reopen.isPending}
            onClick={() => {
              if (!note.trim()) return setIsReasonMissing(true)
              reopen.mutate(undefined, {
                onSuccess: () => {
                  beginNext()
                  setIsReasonMissing(false)
                  setShownAsClosed(false)
                },
              })
            }}
          >
            {m.supervision_reopen()}
          </Button>
        )}
        <Button
          variant="plain"
          disabled={!note.trim() || isBusy}
          onClick={() => write.mutate(undefined, { onSuccess: beginNext })}
        >
          {shownAsClosed ? m.supervision_note_add() : m.supervision_note_only()}
        </Button>
      </div>
      {other && asked && (
        <ConfirmDialog
          open
          title={m.supervision_of_another_title({ name: other })}
          text={m.supervision_of_another_text({ name: other })}
          confirmLabel={m.supervision_decide({ outcome: outcomeName(asked) })}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null)
            decide.mutate(asked)
          }}
        />
      )}
    </div>
  )
}
