import { useQuery } from '@tanstack/react-query'
import { ArchiveRestore, Inbox, SearchX } from 'lucide-react'
import { useRef, useState } from 'react'
import { useReorder } from '#data/live/use-reorder.ts'
import { editorsQuery } from '#domain/editors.ts'
import { weekdayName, type Weekday } from '#domain/weekdays.ts'
import { m } from '#lib/messages/messages.js'
import { useErrorAlert } from '#lib/server/use-error-alert.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { SortableList } from '#ui/sortable-list.tsx'
import { managedItemsQuery, reorderItems } from './admin-queries.ts'
import type { ContentType } from './content-types.ts'
import { groupItems } from './group-items.ts'
import { isFound, ItemFilters, NO_FILTERS, type Filters } from './item-filters.tsx'
import { ItemRow } from './item-row.tsx'
import type { ManagedItem } from './managed-item.ts'

type Props = { type: ContentType; onEdit: (item: ManagedItem) => void; onAdd: () => void }

/** The items of a type with their filters; active ones can be reordered. */
export function ItemList({ type, onEdit, onAdd }: Props) {
  const [filters, setFilters] = useState(NO_FILTERS)
  const list = useRef<HTMLDivElement>(null)
  const isActive = filters.show === 'active'
  const query = useQuery(managedItemsQuery(type, isActive))
  const reorder = useReorder<ManagedItem>({
    mutationKey: [type.table, 'reorder'],
    queryKey: managedItemsQuery(type, true).queryKey,
    save: (ids) => reorderItems(type, ids),
    inOrder: withPlaces,
    errorTitle: m.admin_error_saving,
  })
  useErrorAlert(m.admin_error_loading(), query)

  const editorIds = [...new Set(query.data?.flatMap(({ updated_by }) => updated_by ?? []))].sort()
  const { data: editors } = useQuery(editorsQuery(editorIds))
  const found = query.data?.filter((item) => isFound(item, filters)) ?? []
  return (
    <>
      <ItemFilters type={type} filters={filters} onChange={setFilters} />
      <div ref={list} tabIndex={-1} className="flex flex-col gap-stack focus:outline-0">
        {!query.data && query.error && (
          <LoadError
            error={query.error}
            describe={(message) => `${m.admin_error_loading()}: ${message}`}
            onRetry={() => void query.refetch()}
          />
        )}
        {query.isPending && <SkeletonCards className="h-20" />}
        {query.data && found.length === 0 && (
          <Nothing
            type={type}
            isActive={isActive}
            isFiltered={query.data.length > 0}
            onAdd={onAdd}
            onFilters={(wanted) => {
              setFilters({ ...NO_FILTERS, ...wanted })
              // The pressed button disappears, so the first row it reveals gets focus.
              list.current?.focus()
            }}
          />
        )}
        {groupItems(type, found).map((group) => (
          <section
            key={group.id}
            aria-label={groupName(type, group.id)}
            className="grid grid-cols-1 gap-2"
          >
            {type.categories.length + Number(type.id === 'schedule') > 1 && (
              <h2 className="mt-2 font-semibold">{groupName(type, group.id)}</h2>
            )}
            <SortableList
              items={group.items}
              // A filtered list cannot be reordered.
              canSort={isActive && filters.search === ''}
              onReorder={(items) => reorder.mutate(items)}
              row={(item, handle) => (
                <ItemRow
                  type={type}
                  item={item}
                  handle={handle}
                  editor={editors?.get(item.updated_by ?? '')}
                  onEdit={() => onEdit(item)}
                />
              )}
            />
          </section>
        ))}
      </div>
    </>
  )
}

function groupName(type: ContentType, id: string): string {
  if (type.id === 'schedule') return weekdayName(id as Weekday)
  return type.categories.find((category) => category.id === id)?.name() ?? id
}

type NothingProps = {
  type: ContentType
  isActive: boolean
  isFiltered: boolean
  onAdd: () => void
  onFilters: (filters: Pick<Filters, 'show'>) => void
}

function Nothing({ type, isActive, isFiltered, onAdd, onFilters }: NothingProps) {
  const action = (label: string, onClick: () => void) => (
    <Button variant="tint" onClick={onClick}>
      {label}
    </Button>
  )
  if (isFiltered) {
    const show = isActive ? 'active' : 'deleted'
    return (
      <EmptyState
        picture={<SearchX />}
        title={m.admin_none_found()}
        text={m.admin_none_found_text()}
        action={action(m.admin_clear_filters(), () => onFilters({ show }))}
      />
    )
  }
  if (!isActive) {
    return (
      <EmptyState
        picture={<ArchiveRestore />}
        title={m.admin_none_deleted()}
        text={m.admin_none_deleted_text()}
        action={action(m.admin_show_active(), () => onFilters({ show: 'active' }))}
      />
    )
  }
  return (
    <EmptyState
      picture={<Inbox />}
      title={type.emptyTitle()}
      text={type.emptyText()}
      action={action(type.addFirst(), onAdd)}
    />
  )
}

function withPlaces(all: ManagedItem[], items: ManagedItem[]): ManagedItem[] {
  const places = new Map(items.map(({ id }, index) => [id, index + 1]))
  return all.map((item) => ({ ...item, sort_order: places.get(item.id) ?? item.sort_order }))
}
