import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Modal } from '#ui/modal.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { stageName } from './calculator-words.ts'
import { formatNumber } from './format-figures.ts'
import { weekActivityQuery, type SavedGoal } from './goal-queries.ts'
import { LastEntry } from './last-entry.tsx'
import { logActivity, undoActivity } from './log-activity.ts'
import { planGoal } from './plan-goal.ts'
import { isCounted, sumActivity, type Activity, type CountedStage } from './sum-activity.ts'
import { addDays, type Day } from './work-week.ts'

type Props = { goal: SavedGoal; today: Day; open: boolean; onClose: () => void }

/** The second tap: one button per stage, each logs one. */
export function LogActivitySheet({ goal, today, open, onClose }: Props) {
  const [isYesterday, setIsYesterday] = useState(false)
  const [last, setLast] = useState<Activity>()
  const day = isYesterday ? addDays(today, -1) : today
  const memberId = useUserId()
  const logged = sumActivity(useQuery(weekActivityQuery(memberId, day)).data ?? [], day)
  const stages = planGoal(goal)
    .map(({ stage }) => stage)
    .filter(isCounted)

  function log(stage: CountedStage) {
    const entry: Activity = {
      id: newId(),
      goal_id: goal.id,
      stage,
      quantity: 1,
      premium: null,
      happened_on: day,
    }
    setLast(entry)
    logActivity(memberId, entry)
  }

  function close() {
    setLast(undefined)
    setIsYesterday(false)
    onClose()
  }

  return (
    <Modal
      open={open}
      onClose={close}
      title={m.calculator_log_title()}
      description={m.calculator_log_text()}
      footer={<Button onClick={close}>{m.calculator_log_done()}</Button>}
    >
      <SegmentedControl
        label={m.calculator_log_day()}
        options={[
          { value: 'today', label: m.calculator_log_today() },
          { value: 'yesterday', label: m.calculator_log_yesterday() },
        ]}
        value={isYesterday ? 'yesterday' : 'today'}
        onChange={(value) => setIsYesterday(value === 'yesterday')}
      />
      {/* Above the buttons and with its room kept, so that none moves under a finger: a sheet grows upwards, and a dialog
          in the middle of a larger screen both ways, by the premium of a sale. */}
      <div
        aria-live="polite"
        className={classNames('grid min-h-15', stages.includes('sales') && 'sm:min-h-38')}
      >
        {last ? (
          <LastEntry
            key={last.id}
            entry={last}
            onPremium={(premium) => logActivity(memberId, { ...last, premium })}
            onUndo={() => {
              setLast(undefined)
              undoActivity(memberId, last)
            }}
          />
        ) : (
          <p className="grid place-content-center rounded-card border border-dashed border-line px-4 py-2 text-center text-small text-muted">
            {m.calculator_log_last()}
          </p>
        )}
      </div>
      <ul className="grid grid-cols-1 gap-2.5">
        {stages.map((stage) => (
          <li key={stage}>
            <LogButton stage={stage} count={logged[stage] ?? 0} onLog={() => log(stage)} />
          </li>
        ))}
      </ul>
    </Modal>
  )
}

function LogButton(props: { stage: CountedStage; count: number; onLog: () => void }) {
  const name = stageName[props.stage]()
  const count = m.calculator_log_count({ count: formatNumber(props.count) })
  return (
    <RowButton
      variant="alone"
      icon={<Plus />}
      label={name}
      detail={count}
      aria-label={`${m.calculator_log_stage({ stage: name })}, ${count}`}
      onClick={props.onLog}
    />
  )
}
