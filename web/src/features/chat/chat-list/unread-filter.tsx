import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { ChipButton } from '#ui/chip-button.tsx'

const KEY = 'chat-list-unread-only'

/** Whether the list shows unread chats only, as last chosen on this device. */
export function useUnreadOnly() {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(KEY) !== null)
  function change(on: boolean) {
    if (on) localStorage.setItem(KEY, 'true')
    else localStorage.removeItem(KEY)
    setIsOn(on)
  }
  return [isOn, change] as const
}

type UnreadFilterProps = { isOn: boolean; onChange: (isOn: boolean) => void }

export function UnreadFilter({ isOn, onChange }: UnreadFilterProps) {
  return (
    <ChipButton variant="filter" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {m.chat_unread_only()}
    </ChipButton>
  )
}
