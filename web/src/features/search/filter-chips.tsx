import { m } from '#lib/messages/messages.js'
import { ChipButton } from '#ui/chip-button.tsx'
import { FILTER_NAMES, typedFilters, withFilter, withoutFilter } from './search-filters.ts'

type FilterChipsProps = { typed: string; onChange: (typed: string) => void }

/** The filters that are typed, each to remove, and those that can be added. */
export function FilterChips({ typed, onChange }: FilterChipsProps) {
  const filters = typedFilters(typed)
  const offered = [
    { name: 'from', text: m.search_type_from() },
    { name: 'in', text: m.search_type_in() },
    { name: 'before', text: m.search_type_before() },
    { name: 'has', text: m.search_type_has() },
  ].filter((each) => filters.every(({ name }) => name !== each.name))
  const isDateMissing = filters.some(({ name, isUnderstood }) => name === 'before' && !isUnderstood)
  return (
    <>
      <div role="group" aria-label={m.search_filters()} className="flex flex-wrap gap-2">
        {filters
          .filter((each) => each.isUnderstood)
          .map((each) => {
            const name = FILTER_NAMES[each.name]({ value: each.value })
            return (
              <ChipButton
                key={each.text}
                variant="remove"
                aria-label={m.search_filter_remove({ name })}
                onClick={() => onChange(withoutFilter(typed, each))}
              >
                <span className="truncate">{name}</span>
              </ChipButton>
            )
          })}
        {offered.map(({ name, text }) => (
          <ChipButton
            key={name}
            variant="toggle"
            onClick={() => onChange(withFilter(typed, name === 'has' ? `${text} ` : text))}
          >
            {text}
          </ChipButton>
        ))}
      </div>
      {isDateMissing && <p className="text-small text-muted">{m.search_date_hint()}</p>}
    </>
  )
}
