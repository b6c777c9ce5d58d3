import type { LucideIcon } from 'lucide-react'
import { CardGrid } from '#ui/card-grid.tsx'
import { ContentCard } from './content-card.tsx'
import type { ContentItem } from './content-queries.ts'
import { isNewSince } from './seen-content.ts'

type Props = {
  items: ContentItem[]
  badge: string
  icon: LucideIcon
  /** When the member last looked; unknown where nothing is marked as new. */
  seenAt?: string | undefined
}

/** The items of one category, each with its badge. */
export function ContentCards({ items, badge, icon, seenAt }: Props) {
  return (
    <CardGrid>
      {items.map((item) => (
        <ContentCard
          key={item.id}
          item={item}
          badge={badge}
          icon={icon}
          isNew={isNewSince(item.updated_at, seenAt)}
        />
      ))}
    </CardGrid>
  )
}
