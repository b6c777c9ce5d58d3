import { WEEKDAYS } from '#domain/weekdays.ts'
import type { ContentType } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

/** Items ordered among each other: a category, a weekday, or the whole list. */
export type ItemGroup = { id: string; items: ManagedItem[] }

/** Groups a list the way members see it; admins choose the order within a group. */
export function groupItems(type: ContentType, items: ManagedItem[]): ItemGroup[] {
  const groupOf = (item: ManagedItem) =>
    type.id === 'schedule' ? (item.day_of_week ?? 'Monday') : item.category
  const ids: string[] = type.id === 'schedule' ? [...WEEKDAYS] : type.categories.map(({ id }) => id)
  return ids
    .map((id) => ({ id, items: items.filter((item) => groupOf(item) === id).sort(byOrder) }))
    .filter((group) => group.items.length > 0)
}

function byOrder(a: ManagedItem, b: ManagedItem): number {
  return (
    a.sort_order - b.sort_order ||
    (a.start_time ?? '').localeCompare(b.start_time ?? '') ||
    a.title.localeCompare(b.title)
  )
}
