import { weekdayName, type Weekday } from '#domain/weekdays.ts'
import { LICENSING_CATEGORIES, TRAINING_CATEGORIES } from '#domain/content-categories.ts'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { Avatar } from '#ui/avatar.tsx'
import { HighlightedText } from '#ui/highlighted-text.tsx'
import { Option } from '#ui/option-list.tsx'
import type { ResultGroup } from './result-groups.ts'
import type { Found } from './search-queries.ts'

type ResultOptionProps = {
  id: string
  found: Found
  icon: ResultGroup['icon']
  words: string[]
  isActive: boolean
  onSelect: () => void
  onPoint: () => void
}

/** A result: what it is called, where it is from, and the words around the match. */
export function ResultOption({ found, icon: Icon, words, ...option }: ResultOptionProps) {
  const { kind, id, title, snippet, at } = found
  const detail = detailOf(found)
  return (
    <Option
      {...option}
      picture={
        kind === 'person' ? (
          <Avatar name={title ?? ''} seed={id ?? ''} />
        ) : (
          <Icon strokeWidth={1.9} />
        )
      }
    >
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-semibold">
          {kind === 'message' ? title : <HighlightedText text={title ?? ''} words={words} />}
        </span>
        {at && (
          <time dateTime={at} className="flex-none text-caption text-muted tabular-nums">
            {formatMoment(at)}
          </time>
        )}
      </span>
      {(detail || snippet) && (
        <span className="line-clamp-2 text-small wrap-anywhere text-muted">
          {detail && <span className={snippet ? 'font-semibold' : undefined}>{detail} </span>}
          {snippet && <HighlightedText text={snippet} words={words} />}
        </span>
      )}
    </Option>
  )
}

function detailOf({ kind, detail }: Found): string | null {
  if (kind === 'message') return detail && m.chat_last_message_of({ name: detail })
  if (kind === 'meeting') return detail && `${weekdayName(detail as Weekday)}.`
  if (kind === 'training' || kind === 'licensing') {
    const category = [...TRAINING_CATEGORIES, ...LICENSING_CATEGORIES].find(
      ({ id }) => id === detail,
    )
    return category ? `${category.name()}.` : null
  }
  return detail
}
