import { Search } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { SegmentedControl } from '#ui/segmented-control.tsx'

export type SearchMode = 'users' | 'messages'

type ChatSearchProps = {
  mode: SearchMode
  search: string
  onModeChange: (mode: SearchMode) => void
  onSearchChange: (search: string) => void
}

export function ChatSearch({ mode, search, onModeChange, onSearchChange }: ChatSearchProps) {
  const placeholder =
    mode === 'users' ? m.chat_search_users_placeholder() : m.chat_search_messages_placeholder()
  return (
    <search className="grid gap-3">
      <SegmentedControl
        label={m.chat_search_mode_label()}
        value={mode}
        onChange={onModeChange}
        options={[
          { value: 'users', label: m.chat_search_users() },
          { value: 'messages', label: m.chat_search_messages() },
        ]}
      />
      <label className="flex h-11 items-center gap-2 rounded-field border border-field-line bg-card px-3 focus-within:border-primary focus-within:ring-3 focus-within:ring-tint">
        <Search aria-hidden="true" className="size-5 flex-none text-muted" />
        <input
          type="search"
          autoFocus
          aria-label={placeholder}
          placeholder={placeholder}
          value={search}
          onChange={(event) => onSearchChange(event.target.value)}
          className="min-w-0 flex-1 bg-transparent outline-0 placeholder:text-muted"
        />
      </label>
    </search>
  )
}
