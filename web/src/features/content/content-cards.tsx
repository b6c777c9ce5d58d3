import type { LucideIcon } from 'lucide-react'
import { CardGrid } from '#ui/card-grid.tsx'
import { ContentCard } from './content-card.tsx'
import type { ContentItem } from './content-queries.ts'
import { isNewSince } from './seen-content.ts'

type Props = {
  items: ContentItem[]
  icon: LucideIcon
  /** When the member last looked; unknown where nothing is marked as new. */
  seenAt?: string | undefined
}

/** The items of one category. */
export function ContentCards({ items, icon, seenAt }: Props) {
  return (
    <CardGrid>
      {items.map((item) => (
        <ContentCard
          key={item.id}
          item={item}
          icon={icon}
          isNew={isNewSince(item.updated_at, seenAt)}
        />
      ))}
    </CardGrid>
  )
}
