import { useState, type FormEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { stageName } from './calculator-words.ts'
import { parseAmount } from './parse-amount.ts'
import type { Activity } from './sum-activity.ts'

type LastEntryProps = {
  entry: Activity
  onUndo: () => void
  onPremium: (premium: number) => void
}

/** The entry just logged, with undo and, for a sale, its premium (which feeds the member's own ratios). */
export function LastEntry({ entry, onUndo, onPremium }: LastEntryProps) {
  return (
    <div className="grid content-center gap-3 rounded-card bg-tint px-4 py-2">
      <div className="flex items-center gap-3">
        <p className="flex-1">{m.calculator_logged({ stage: stageName[entry.stage]() })}</p>
        <Button variant="ghost" size="sm" onClick={onUndo}>
          {m.ui_undo()}
        </Button>
      </div>
      {entry.stage === 'sales' && <PremiumForm onPremium={onPremium} />}
    </div>
  )
}

function PremiumForm({ onPremium }: { onPremium: (premium: number) => void }) {
  const [typed, setTyped] = useState('')
  const [isSaved, setIsSaved] = useState(false)
  const amount = parseAmount(typed)
  const isUsable = amount.state === 'usable' && amount.value > 0

  function save(event: FormEvent) {
    event.preventDefault()
    if (amount.state !== 'usable') return
    onPremium(amount.value)
    setIsSaved(true)
  }

  if (isSaved) {
    return <p className="pb-1 font-semibold text-success">{m.calculator_log_premium_saved()}</p>
  }
  return (
    <form onSubmit={save} className="flex items-start gap-3 pb-1">
      <UnsavedChanges when={typed !== ''} />
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
      <Button type="submit" variant="ghost" className="mt-6" disabled={!isUsable}>
        {m.calculator_log_premium_save()}
      </Button>
    </form>
  )
}
