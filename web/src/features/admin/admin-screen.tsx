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
import type { ReactNode } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TileLink } from '#ui/tile-link.tsx'
import { userCountQuery } from './admin-queries.ts'
import { manageLink, type ManagedType } from './managed-type.ts'

const MENU: { type: ManagedType; name: () => string; Picture: typeof House }[] = [
  { type: 'home', name: m.admin_home_screen, Picture: House },
  { type: 'training', name: m.admin_training_content, Picture: LibraryBig },
  { type: 'newrepstart', name: m.admin_new_rep_start, Picture: Flag },
  { type: 'licensing', name: m.admin_licensing, Picture: GraduationCap },
  { type: 'schedule', name: m.admin_schedule, Picture: CalendarDays },
  { type: 'chat', name: m.admin_chat_management, Picture: MessagesSquare },
  { type: 'notifications', name: m.admin_notification_management, Picture: Bell },
]

/** The team's size and the way to everything an admin manages; `children` are ways to other areas. */
export function AdminScreen({ children }: { children?: ReactNode }) {
  return (
    <Screen wide header={<PageHeader title={m.admin_title()} back="/home" />}>
      <div className="grid gap-stack sm:grid-cols-2">
        <TotalUsers />
        {children}
      </div>
      <ul className="grid gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
        {MENU.map(({ type, name, Picture }) => (
          <li key={type}>
            <TileLink {...manageLink(type)} picture={Picture}>
              {name()}
            </TileLink>
          </li>
        ))}
      </ul>
    </Screen>
  )
}

/** A count that cannot be loaded shows "Error" in its place and nothing else (spec section 8). */
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
