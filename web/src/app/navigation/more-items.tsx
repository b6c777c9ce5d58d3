import { Suspense } from 'react'
import { classNames } from '#ui/class-names.ts'
import { SupervisionLink } from './lazy-supervision.ts'
import { ADMIN_ITEM, MORE_ITEMS } from './navigation-items.ts'
import { NavigationLink } from './navigation-link.tsx'

type MoreItemsProps = {
  id: string
  isAdmin: boolean
  supervises: boolean
  onFollow: () => void
}

/** The items More opens above the bottom bar of a phone. */
export function MoreItems({ id, isAdmin, supervises, onFollow }: MoreItemsProps) {
  return (
    <ul
      id={id}
      data-layer
      className={classNames(
        isAdmin && supervises ? 'grid-cols-4' : 'grid-cols-3',
        'absolute inset-x-0 bottom-full grid animate-rise rounded-t-sheet border-t border-line bg-card px-2 pt-3 pb-1 shadow-float',
      )}
    >
      {MORE_ITEMS.map((item) => (
        <li key={item.path}>
          <NavigationLink item={item} onFollow={onFollow} />
        </li>
      ))}
      <Suspense>{supervises && <SupervisionLink onFollow={onFollow} />}</Suspense>
      {/* A blank spacer for everyone else, so that the other items keep their place. */}
      {isAdmin && (
        <li>
          <NavigationLink item={ADMIN_ITEM} onFollow={onFollow} />
        </li>
      )}
      {!isAdmin && !supervises && <li aria-hidden="true" />}
    </ul>
  )
}
