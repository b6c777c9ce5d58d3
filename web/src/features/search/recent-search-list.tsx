import { History, Search } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { EmptyState } from '#ui/empty-state.tsx'
import { Option, OptionGroup, OptionList } from '#ui/option-list.tsx'
import { TextButton } from '#ui/text-button.tsx'

type RecentSearchesProps = {
  id: string
  active: number
  onPoint: (index: number) => void
  searches: string[]
  /** Too little to search for. */
  isTyping: boolean
  onChoose: (search: string) => void
  onForget: () => void
}

/** Before there is anything to search for: what was searched for on this device. */
export function RecentSearches({
  id,
  active,
  onPoint,
  searches,
  isTyping,
  onChoose,
  onForget,
}: RecentSearchesProps) {
  if (isTyping) {
    return (
      <EmptyState
        picture={<Search />}
        title={m.search_more_letters()}
        text={m.search_more_letters_text()}
      />
    )
  }
  if (searches.length === 0) {
    return <EmptyState picture={<Search />} title={m.search_start()} text={m.search_start_text()} />
  }
  return (
    <>
      <OptionList id={id} label={m.search_recent()}>
        <OptionGroup title={m.search_recent()}>
          {searches.map((search, index) => (
            <Option
              key={search}
              id={`${id}-${index}`}
              isActive={index === active}
              onPoint={() => onPoint(index)}
              onSelect={() => onChoose(search)}
              picture={<History />}
            >
              <span className="block truncate">{search}</span>
            </Option>
          ))}
        </OptionGroup>
      </OptionList>
      <p className="px-2 text-small">
        <TextButton tone="muted" onClick={onForget}>
          {m.search_recent_clear()}
        </TextButton>
      </p>
    </>
  )
}
