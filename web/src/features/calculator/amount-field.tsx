import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { FigureField } from '#ui/figure-field.tsx'
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
  const field = useFocusWhenAsked(typed)
  const isMoney = figureKind(solvedStage(metric)) === 'money'
  const refusal = amount.state === 'refused' ? REFUSALS[amount.reason]() : undefined
  return (
    <Card>
      <FigureField
        ref={field}
        label={amountLabel[metric]()}
        error={refusal}
        sign={isMoney && '$'}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        maxLength={30}
        addon={
          <SegmentedControl
            label={m.calculator_period()}
            options={PERIODS.map((value) => ({ value, label: periodName[value]() }))}
            value={period}
            onChange={onPeriod}
          />
        }
      />
    </Card>
  )
}

/** After the previous question the next step is typing, so take focus; a shared goal is only read. */
function useFocusWhenAsked(typed: string) {
  const field = useRef<HTMLInputElement>(null)
  const { key } = useLocation()
  const isAsked = useRef(key !== 'default' && typed === '')
  useEffect(() => {
    if (isAsked.current) field.current?.focus()
  }, [])
  return field
}
