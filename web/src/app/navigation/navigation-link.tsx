import { Link, useLocation } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { Badge, cappedCount } from '#ui/badge.tsx'
import { classNames } from '#ui/class-names.ts'
import { isWithin, type NavigationItem } from './navigation-items.ts'

export const ITEM_LOOK =
  'relative grid min-h-14 w-full min-w-0 content-center justify-items-center gap-0.5 rounded-field text-tiny ' +
  'font-semibold text-muted transition active:scale-98 lg:min-h-13 lg:w-18 [&_svg]:size-5.5'

export const CHOSEN_ITEM_LOOK =
  'text-primary lg:bg-tint before:absolute before:-top-2 before:h-[3px] before:w-7 before:rounded-full before:bg-primary lg:before:hidden'

type NavigationLinkProps = {
  item: NavigationItem
  unread?: number
  /** What a screen reader says of the badge; of unread messages if it is left out. */
  unreadLabel?: string
  onFollow?: () => void
}

/** A navigation item, with an unread badge if needed. */
export function NavigationLink({ item, unread = 0, unreadLabel, onFollow }: NavigationLinkProps) {
  const Icon = item.icon
  const isOpen = isWithin(item, useLocation().pathname)
  return (
    <Link
      to={item.path}
      {...(onFollow && { onClick: onFollow })}
      aria-current={isOpen ? 'page' : undefined}
      className={classNames(ITEM_LOOK, isOpen && CHOSEN_ITEM_LOOK)}
    >
      <span className="relative">
        <Icon aria-hidden="true" strokeWidth={1.9} />
        <Badge
          count={unread}
          label={unreadLabel ?? m.app_unread_messages({ count: cappedCount(unread) })}
          className="absolute -top-1.5 left-3 border-2 border-card text-tiny!"
        />
      </span>
      <span className="max-w-full truncate">{item.label()}</span>
    </Link>
  )
}
