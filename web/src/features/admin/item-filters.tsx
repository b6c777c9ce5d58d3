import { m } from '#lib/messages/messages.js'
import { SearchField } from '#ui/search-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import type { ContentType } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

type Show = 'active' | 'deleted'
export type Filters = { show: Show; category: string; search: string }

export const NO_FILTERS: Filters = { show: 'active', category: '', search: '' }

/** Whether an item is in the chosen category and its title or description contains the search words. */
export function isFound(item: ManagedItem, { category, search }: Filters): boolean {
  if (category && item.category !== category) return false
  const text = `${item.title} ${item.description ?? ''}`.toLocaleLowerCase()
  return text.includes(search.trim().toLocaleLowerCase())
}

type Props = { type: ContentType; filters: Filters; onChange: (filters: Filters) => void }

export function ItemFilters({ type, filters, onChange }: Props) {
  return (
    <div className="grid grid-cols-1 gap-2.5 lg:grid-cols-[1fr_2fr] lg:items-end">
      <SearchField
        isTall
        label={m.admin_search()}
        value={filters.search}
        onChange={(search) => onChange({ ...filters, search })}
      />
      <div className="grid auto-cols-fr grid-flow-col gap-2.5">
        <SelectField
          label={m.members_filters()}
          value={filters.show}
          onChange={(event) => onChange({ ...filters, show: event.target.value as Show })}
          options={[
            { value: 'active', label: m.admin_filter_active() },
            { value: 'deleted', label: m.admin_filter_deleted() },
          ]}
        />
        {type.categories.length > 1 && (
          <SelectField
            label={m.admin_category()}
            value={filters.category}
            onChange={(event) => onChange({ ...filters, category: event.target.value })}
            options={[
              { value: '', label: m.admin_all_categories() },
              ...type.categories.map(({ id, name }) => ({ value: id, label: name() })),
            ]}
          />
        )}
      </div>
    </div>
  )
}
