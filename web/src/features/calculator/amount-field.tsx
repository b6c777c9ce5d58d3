import { useEffect, useId, useRef } from 'react'
import { useLocation } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { CONTROL_LOOK } from '#ui/field.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { amountLabel, periodName } from './calculator-words.ts'
import { solvedStage, type Metric } from './metrics.ts'
import type { Amount } from './parse-amount.ts'
import { PERIODS, type Period } from './periods.ts'
import { figureKind } from './round-for-display.ts'

const REFUSALS = {
  negative: m.calculator_amount_negative,
  text: m.calculator_amount_text,
  huge: m.calculator_amount_huge,
}

type Props = {
  metric: Metric
  typed: string
  amount: Amount
  period: Period
  onType: (typed: string) => void
  onPeriod: (period: Period) => void
}

export function AmountField({ metric, typed, amount, period, onType, onPeriod }: Props) {
  const id = useId()
  const field = useFocusWhenAsked(typed)
  const isMoney = figureKind(solvedStage(metric)) === 'money'
  const refusal = amount.state === 'refused' ? REFUSALS[amount.reason]() : undefined
  return (
    <Card className="grid gap-1.5">
      <label htmlFor={id} className="text-note font-semibold">
        {amountLabel[metric]()}
      </label>
      <div className="grid gap-2.5 min-[380px]:grid-cols-[1fr_auto]">
        <div className="relative">
          {isMoney && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-figure font-bold"
            >
              $
            </span>
          )}
          <input
            ref={field}
            id={id}
            value={typed}
            onChange={(event) => onType(event.target.value)}
            inputMode="decimal"
            autoComplete="off"
            maxLength={30}
            aria-invalid={refusal ? true : undefined}
            aria-describedby={`${id}-error`}
            className={`${CONTROL_LOOK} h-12.5 text-figure font-bold tabular-nums ${isMoney ? 'pl-8!' : ''}`}
          />
        </div>
        <div className="min-[380px]:w-50">
          <SegmentedControl
            label={m.calculator_period()}
            options={PERIODS.map((value) => ({ value, label: periodName[value]() }))}
            value={period}
            onChange={onPeriod}
          />
        </div>
      </div>
      <p id={`${id}-error`} aria-live="polite" className="text-note font-medium text-danger-text">
        {refusal}
      </p>
    </Card>
  )
}

/** Arriving from the question before, the next thing to do is to type; a shared goal is there to be read. */
function useFocusWhenAsked(typed: string) {
  const field = useRef<HTMLInputElement>(null)
  const { key } = useLocation()
  const isAsked = useRef(key !== 'default' && typed === '')
  useEffect(() => {
    if (isAsked.current) field.current?.focus()
  }, [])
  return field
}
