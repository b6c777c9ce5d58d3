import {
  Bell,
  CalendarDays,
  Flag,
  GraduationCap,
  House,
  LibraryBig,
  MessagesSquare,
} from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Skeleton, SkeletonCards } from '#ui/skeleton.tsx'
import { TileLink } from '#ui/tile-link.tsx'
import { manageLink, type ManagedType } from './managed-type.ts'

// Below the menu, and drawn last.
const SecondFactorRule = lazy(async () => ({
  default: (await import('./second-factor-rule.tsx')).SecondFactorRule,
}))

const MENU: { type: ManagedType; name: () => string; hint: () => string; Picture: typeof House }[] =
  [
    { type: 'home', name: m.admin_home_screen, hint: m.admin_hint_home, Picture: House },
    {
      type: 'training',
      name: m.admin_training_content,
      hint: m.admin_hint_training,
      Picture: LibraryBig,
    },
    {
      type: 'newrepstart',
      name: m.admin_new_rep_start,
      hint: m.admin_hint_newrepstart,
      Picture: Flag,
    },
    {
      type: 'licensing',
      name: m.admin_licensing,
      hint: m.admin_hint_licensing,
      Picture: GraduationCap,
    },
    {
      type: 'schedule',
      name: m.admin_schedule,
      hint: m.admin_hint_schedule,
      Picture: CalendarDays,
    },
    {
      type: 'chat',
      name: m.admin_chat_management,
      hint: m.admin_hint_chat,
      Picture: MessagesSquare,
    },
    {
      type: 'notifications',
      name: m.admin_notification_management,
      hint: m.admin_hint_notifications,
      Picture: Bell,
    },
  ]

type AdminScreenProps = {
  /** What decides on the layout is still on its way. */
  isWaiting?: boolean
  /** What needs attention, and the team in figures. */
  children?: ReactNode
  /** Links to other features. */
  entries?: ReactNode
  /** Settings of other features. */
  settings?: ReactNode
}

/** The team in figures, and links to everything an admin manages; the app passes in what other features show. */
export function AdminScreen({ isWaiting, children, entries, settings }: AdminScreenProps) {
  const header = <PageHeader title={m.admin_title()} back="/home" />
  if (isWaiting) {
    return (
      <Screen wide header={header}>
        <SkeletonCards count={6} className="h-24" />
      </Screen>
    )
  }
  return (
    <Screen wide header={header}>
      {children}
      <div className="grid gap-2.5 empty:hidden sm:grid-cols-2 lg:grid-cols-3">{entries}</div>
      <ul aria-label={m.admin_menu()} className="grid gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
        {MENU.map(({ type, name, hint, Picture }) => (
          <li key={type}>
            <TileLink {...manageLink(type)} picture={Picture} detail={hint()}>
              {name()}
            </TileLink>
          </li>
        ))}
      </ul>
      {settings}
      <Suspense fallback={<Skeleton className="h-28" />}>
        <SecondFactorRule />
      </Suspense>
    </Screen>
  )
}
