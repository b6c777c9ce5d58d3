import { useQuery } from '@tanstack/react-query'
import {
  Bell,
  CalendarDays,
  Flag,
  GraduationCap,
  House,
  LibraryBig,
  MessagesSquare,
  Users,
} from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TileLink } from '#ui/tile-link.tsx'
import { userCountQuery } from './admin-queries.ts'
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

/** The team's size and links to everything an admin manages; `children` link to other features. */
export function AdminScreen({ children }: { children?: ReactNode }) {
  return (
    <Screen wide header={<PageHeader title={m.admin_title()} back="/home" />}>
      <div className="grid gap-stack sm:grid-cols-2 lg:grid-cols-3">
        <TotalUsers />
        {children}
      </div>
      <ul className="grid gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
        {MENU.map(({ type, name, hint, Picture }) => (
          <li key={type}>
            <TileLink {...manageLink(type)} picture={Picture} detail={hint()}>
              {name()}
            </TileLink>
          </li>
        ))}
      </ul>
      <Suspense fallback={<Skeleton className="h-28" />}>
        <SecondFactorRule />
      </Suspense>
    </Screen>
  )
}

/** A count that fails to load shows "Error" in its place and nothing else (product.md P134). */
function TotalUsers() {
  const { data, error } = useQuery(userCountQuery())
  return (
    <Card className="flex items-center gap-4">
      <span className="grid size-12 flex-none place-items-center rounded-field bg-tint text-primary">
        <Users aria-hidden="true" className="size-6" />
      </span>
      <dl className="flex-1">
        <dt className="text-small text-muted">{m.admin_total_users()}</dt>
        <dd className="text-title font-bold tabular-nums" aria-live="polite">
          {data !== undefined && formatCount(data)}
          {data === undefined && (error ? m.admin_error() : <Skeleton className="h-9 w-16" />)}
        </dd>
      </dl>
    </Card>
  )
}
