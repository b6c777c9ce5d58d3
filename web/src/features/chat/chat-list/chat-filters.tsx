import type { ChatFilter } from '#features/chat/model/filter-chats.ts'
import { m } from '#lib/messages/messages.js'
import { Tabs } from '#ui/tabs.tsx'

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
