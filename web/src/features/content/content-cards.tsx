import { CardGrid } from '#ui/card-grid.tsx'
import { ContentCard } from './content-card.tsx'
import type { ContentItem } from './content-queries.ts'

/** The items of one category, under its badge. */
export function ContentCards({ items, badge }: { items: ContentItem[]; badge: string }) {
  return (
    <CardGrid>
      {items.map((item) => (
        <ContentCard key={item.id} item={item} badge={badge} />
      ))}
    </CardGrid>
  )
}
