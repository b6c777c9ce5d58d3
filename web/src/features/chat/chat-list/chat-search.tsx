import { m } from '#lib/messages/messages.js'
import { SearchField } from '#ui/search-field.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { TextButton } from '#ui/text-button.tsx'

export type SearchMode = 'users' | 'messages'

type ChatSearchProps = {
  mode: SearchMode
  search: string
  onModeChange: (mode: SearchMode) => void
  onSearchChange: (search: string) => void
}

export function ChatSearch({ mode, search, onModeChange, onSearchChange }: ChatSearchProps) {
  const label =
    mode === 'users' ? m.chat_search_users_placeholder() : m.chat_search_messages_placeholder()
  return (
    <search className="grid grid-cols-1 gap-3">
      <SegmentedControl
        label={m.chat_search_mode_label()}
        value={mode}
        onChange={onModeChange}
        options={[
          { value: 'users', label: m.chat_search_users() },
          { value: 'messages', label: m.chat_search_messages() },
        ]}
      />
      <SearchField autoFocus label={label} value={search} onChange={onSearchChange} />
    </search>
  )
}

/** Below the people and groups found: what was typed may have been said instead. */
export function SearchMessagesInstead(props: { search: string; onSelect: () => void }) {
  return (
    <p className="px-5 pb-4 text-center text-small">
      <TextButton onClick={props.onSelect}>
        {m.chat_search_messages_for({ search: props.search.trim() })}
      </TextButton>
    </p>
  )
}
