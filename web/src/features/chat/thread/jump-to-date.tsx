import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextField } from '#ui/text-field.tsx'

type JumpToDateProps = { onJump: (day: string) => void; onClose: () => void }

export function JumpToDate({ onJump, onClose }: JumpToDateProps) {
  const today = dayOf(new Date(useNow()))
  const [day, setDay] = useState('')
  return (
    <Modal open onClose={onClose} title={m.chat_jump_to_date()}>
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (day) onJump(day)
        }}
      >
        <TextField
          label={m.chat_jump_date()}
          type="date"
          required
          max={today}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
        <Button type="submit" disabled={!day || day > today}>
          {m.chat_jump()}
        </Button>
      </form>
    </Modal>
  )
}

/** As a date field has it, in the reader's time zone. */
function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
