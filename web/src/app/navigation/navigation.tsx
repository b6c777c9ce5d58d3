import { useQuery } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { Suspense, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useAppBadge } from '#app/notifications/use-app-badge.ts'
import { useLiveTopic } from '#data/live/use-live-topic.ts'
import { useUserId } from '#data/session/session.ts'
import { ownProfileQuery } from '#domain/own-profile.ts'
import { useUnreadCount } from '#features/chat/live/use-unread-count.ts'
import { unreadNotificationsQuery } from '#features/notifications/notification-queries.ts'
import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'
import { Logo } from '#ui/logo.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { SupervisionBadge, SupervisionLink } from './lazy-supervision.ts'
import { MoreItems } from './more-items.tsx'
import { ADMIN_ITEM, isWithin, MAIN_ITEMS, MORE_ITEMS } from './navigation-items.ts'
import { CHOSEN_ITEM_LOOK, ITEM_LOOK, NavigationLink } from './navigation-link.tsx'
import { useCloseOnLeave } from './use-close-on-leave.ts'

const NEWCOMERS = ['newcomers']

/** The bottom bar on a phone, a side rail from 1024 px. */
export function Navigation({ hidesBottomBar }: { hidesBottomBar: boolean }) {
  const [isMoreOpen, setIsMoreOpen] = useState(false)
  const moreId = useId()
  const more = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  const unreadMessages = useUnreadCount()
  useAppBadge(unreadMessages)
  const unread: Record<string, number> = {
    '/chat': unreadMessages ?? 0,
    // Silent on purpose, like the chats' count.
    '/notifications': useQuery(unreadNotificationsQuery()).data ?? 0,
  }
  // While the role is unknown nobody is an admin; the admin screens have their own guard.
  const profile = useQuery(ownProfileQuery(useUserId()))
  const isAdmin = profile.data?.role === 'admin'
  const supervises = profile.data?.can_supervise === true
  // Shows at once that somebody waits to be let in, or that another admin has decided.
  useLiveTopic(isAdmin ? 'admins' : null, NEWCOMERS)
  useCloseOnLeave(more, isMoreOpen, () => setIsMoreOpen(false))

  const isInMore =
    (isAdmin && isWithin(ADMIN_ITEM, pathname)) ||
    (supervises && pathname.startsWith('/supervision')) ||
    MORE_ITEMS.some((item) => isWithin(item, pathname))
  return (
    <nav
      aria-label={m.app_navigation()}
      className={classNames(
        'relative z-30 flex-none border-t border-line bg-card pb-safe lg:flex lg:w-22 lg:flex-col lg:items-center lg:overflow-y-auto lg:border-t-0 lg:border-r lg:py-4.5 lg:[scrollbar-width:none]',
        hidesBottomBar && 'hidden',
      )}
    >
      <Logo className="mb-3 hidden size-11 flex-none lg:block" />
      <ul className="mx-auto grid max-w-column grid-cols-5 max-[22.5rem]:grid-cols-[repeat(5,auto)] px-2 pt-2 pb-1 lg:grid-cols-1 lg:gap-0.5 lg:p-0">
        {MAIN_ITEMS.map((item) => (
          <li key={item.path}>
            <NavigationLink item={item} unread={unread[item.path] ?? 0} />
          </li>
        ))}
        <li className="lg:hidden">
          <div ref={more}>
            <Pressable
              aria-expanded={isMoreOpen}
              aria-controls={isMoreOpen ? moreId : undefined}
              onClick={() => setIsMoreOpen(!isMoreOpen)}
              className={classNames(
                ITEM_LOOK,
                isInMore && CHOSEN_ITEM_LOOK,
                isMoreOpen && 'text-primary',
              )}
            >
              <span className="relative">
                <Ellipsis aria-hidden="true" strokeWidth={1.9} />
                <Suspense>{supervises && <SupervisionBadge />}</Suspense>
              </span>
              {m.app_nav_more()}
            </Pressable>
            {isMoreOpen && (
              <MoreItems
                id={moreId}
                isAdmin={isAdmin}
                supervises={supervises}
                onFollow={() => setIsMoreOpen(false)}
              />
            )}
          </div>
        </li>
        {/* The rail has room for what the bottom bar keeps under More. */}
        {MORE_ITEMS.map((item) => (
          <li key={item.path} className="max-lg:hidden">
            <NavigationLink item={item} />
          </li>
        ))}
        <Suspense>{supervises && <SupervisionLink className="max-lg:hidden" />}</Suspense>
        {isAdmin && (
          <li className="max-lg:hidden">
            <NavigationLink item={ADMIN_ITEM} />
          </li>
        )}
      </ul>
    </nav>
  )
}
