import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'
import { LeaderPicker } from './leader-picker.tsx'
import { samplingQuery } from './supervision-queries.ts'
import { useSupervisionChange } from './use-supervision-change.ts'

const SHARES = [0, 1, 2, 5, 10, 15, 20, 25, 50, 100]
/** Ends a leader's own share. */
const AS_TEAM = 'team'

/** How many percent of the messages are drawn at random: of the team, and of the lines of some leaders. */
export function Sampling() {
  const { data: shares } = useQuery(samplingQuery())
  const [isChoosing, setIsChoosing] = useState(false)
  const [isEnding, setIsEnding] = useState(false)
  const set = useSupervisionChange(
    ({ leaderId, percent }: { leaderId: string | null; percent: number | null }) =>
      callFunction('set_review_sampling', {
        percent,
        ...(leaderId && { leader_id: leaderId }),
      }),
    () => m.supervision_was_saved(),
    { thing: 'review-sampling' },
  )
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="font-semibold">{m.supervision_sampling()}</h2>
      <p className="max-w-prose text-muted">{m.supervision_sampling_text()}</p>
      {!shares && <Skeleton className="h-19" />}
      {shares?.map(({ leader_id, leader_name, percent }) => (
        <SelectField
          key={leader_id ?? ''}
          label={
            leader_name
              ? m.supervision_sampling_line({ name: leader_name })
              : m.supervision_sampling_team()
          }
          value={String(percent)}
          onChange={({ target }) => {
            if (!leader_id && target.value === '0') return setIsEnding(true)
            set.mutate({
              leaderId: leader_id,
              percent: target.value === AS_TEAM ? null : Number(target.value),
            })
          }}
          options={[
            ...(leader_id ? [{ value: AS_TEAM, label: m.supervision_sampling_as_team() }] : []),
            ...[...new Set([...SHARES, percent])]
              .toSorted((one, other) => one - other)
              .map((share) => ({ value: String(share), label: `${share} %` })),
          ]}
        />
      ))}
      <Button variant="tint" className="justify-self-start" onClick={() => setIsChoosing(true)}>
        {m.supervision_sampling_add()}
      </Button>
      <ConfirmDialog
        open={isEnding}
        title={m.supervision_sampling_end_title()}
        text={m.supervision_sampling_end_text()}
        confirmLabel={m.supervision_sampling_end()}
        isDestructive
        onCancel={() => setIsEnding(false)}
        onConfirm={() => {
          setIsEnding(false)
          set.mutate({ leaderId: null, percent: 0 })
        }}
      />
      {isChoosing && (
        <LeaderPicker
          title={m.supervision_sampling_add()}
          description={m.supervision_sampling_pick()}
          onClose={() => setIsChoosing(false)}
          onPick={({ id }) => {
            // A share that was set already stays: it stands above.
            if (!shares?.some(({ leader_id }) => leader_id === id))
              set.mutate({ leaderId: id, percent: 10 })
            else showToast(m.supervision_sampling_known())
          }}
        />
      )}
    </section>
  )
}
