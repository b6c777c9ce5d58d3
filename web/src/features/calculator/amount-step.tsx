import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { AmountField } from './amount-field.tsx'
import { BackLinks } from './back-links.tsx'
import { type Wizard } from './goal-link.ts'
import { GoalResults } from './goal-results.tsx'
import { parseAmount } from './parse-amount.ts'

type Props = { wizard: Wizard; onChange: (next: Wizard) => void }

/** A number and a time period, with live results. */
export function AmountStep({ wizard, onChange }: Props) {
  // The address updates one keystroke late; a field bound to it would lose its caret.
  const [typed, setTyped] = useState(wizard.value)
  const amount = parseAmount(typed)
  const { position, metric, period, ratios } = wizard
  if (!position || !metric) return null

  function type(value: string) {
    setTyped(value)
    onChange({ ...wizard, value })
  }

  return (
    <>
      <BackLinks wizard={wizard} />
      <AmountField
        metric={metric}
        typed={typed}
        amount={amount}
        period={period}
        onType={type}
        onPeriod={(next) => onChange({ ...wizard, value: typed, period: next })}
      />
      {amount.state === 'usable' ? (
        <GoalResults
          goal={{ position, metric, value: amount.value, period, ratios }}
          onRatios={(next) => onChange({ ...wizard, value: typed, ratios: next })}
        />
      ) : (
        amount.state === 'blank' && (
          <Card className="py-8 text-center text-muted">{m.calculator_amount_blank()}</Card>
        )
      )}
    </>
  )
}
