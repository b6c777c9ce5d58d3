import { useState } from 'react'
import type { ChatFilter } from '#features/chat/model/filter-chats.ts'
import { m } from '#lib/messages/messages.js'
import { ChipButton } from '#ui/chip-button.tsx'
import { Tabs } from '#ui/tabs.tsx'

const UNREAD_ONLY_KEY = 'chat-list-unread-only'

type ChatFiltersProps = {
  value: ChatFilter
  onChange: (filter: ChatFilter) => void
  /** The archive filter appears once something is archived. */
  hasArchived: boolean
  panelId: string
}

export function ChatFilters({ value, onChange, hasArchived, panelId }: ChatFiltersProps) {
  const tabs: { value: ChatFilter; label: string }[] = [
    { value: 'all', label: m.chat_filter_all() },
    { value: 'individual', label: m.chat_filter_individual() },
    { value: 'groups', label: m.chat_filter_groups() },
  ]
  if (hasArchived || value === 'archived')
    tabs.push({ value: 'archived', label: m.chat_filter_archived() })
  return (
    <Tabs
      label={m.chat_filter_label()}
      tabs={tabs}
      value={value}
      onChange={onChange}
      panelId={panelId}
    />
  )
}

/** Whether the list shows unread chats only, as last chosen on this device. */
export function useUnreadOnly() {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(UNREAD_ONLY_KEY) !== null)
  function change(on: boolean) {
    if (on) localStorage.setItem(UNREAD_ONLY_KEY, 'true')
    else localStorage.removeItem(UNREAD_ONLY_KEY)
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
