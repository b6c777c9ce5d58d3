import { useState, type FormEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { stageName } from './calculator-words.ts'
import { setPremium } from './goal-queries.ts'
import { parseAmount } from './parse-amount.ts'
import type { Activity } from './sum-activity.ts'

/** What was just logged, with a way to take it back, and for a sale the premium that own ratios are made of. */
export function LastEntry({ entry, onUndo }: { entry: Activity; onUndo: () => void }) {
  return (
    <div className="grid gap-3 rounded-card bg-tint px-4 py-2">
      <div className="flex items-center gap-3">
        <p className="flex-1">{m.calculator_logged({ stage: stageName[entry.stage]() })}</p>
        <Button variant="ghost" size="sm" onClick={onUndo}>
          {m.calculator_log_undo()}
        </Button>
      </div>
      {entry.stage === 'sales' && <PremiumForm saleId={entry.id} />}
    </div>
  )
}

type Saving = { step: 'typing' } | { step: 'saving' } | { step: 'saved' }

function PremiumForm({ saleId }: { saleId: string }) {
  const [typed, setTyped] = useState('')
  const [saving, setSaving] = useState<Saving>({ step: 'typing' })
  const amount = parseAmount(typed)
  const isUsable = amount.state === 'usable' && amount.value > 0

  async function save(event: FormEvent) {
    event.preventDefault()
    if (amount.state !== 'usable') return
    setSaving({ step: 'saving' })
    try {
      await setPremium(saleId, amount.value)
      setSaving({ step: 'saved' })
    } catch (error) {
      setSaving({ step: 'typing' })
      showError(m.calculator_log_error(), error)
    }
  }

  if (saving.step === 'saved') {
    return <p className="pb-1 font-semibold text-success">{m.calculator_log_premium_saved()}</p>
  }
  return (
    <form onSubmit={(event) => void save(event)} className="flex items-start gap-3 pb-1">
      <div className="flex-1">
        <TextField
          label={m.calculator_log_premium()}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          inputMode="decimal"
          autoComplete="off"
          error={amount.state === 'refused' ? m.calculator_amount_text() : undefined}
        />
      </div>
      <Button
        type="submit"
        variant="ghost"
        className="mt-6"
        disabled={!isUsable}
        isWaiting={saving.step === 'saving'}
      >
        {m.calculator_log_premium_save()}
      </Button>
    </form>
  )
}
