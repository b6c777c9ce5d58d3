import {
  Archive,
  BadgeCheck,
  Bell,
  CalendarDays,
  Flag,
  GraduationCap,
  History,
  House,
  MessagesSquare,
  Scale,
  SlidersHorizontal,
  UserPlus,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { Children, type ReactNode } from 'react'
import type { LinkProps } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Section } from '#ui/section.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { TileLink } from '#ui/tile-link.tsx'
import { manageLink } from './managed-type.ts'

type Entry = {
  link: Pick<LinkProps, 'to' | 'state'>
  name: () => string
  hint: () => string
  Picture: LucideIcon
  isPrimary?: boolean
}

/* One line per entry. */
/* prettier-ignore */
const MENU: Entry[] = [
  { link: { to: '/admin/invite' }, name: m.invitations_title, hint: m.invitations_hint, Picture: UserPlus, isPrimary: true },
  { link: { to: '/admin/members' }, name: m.members_title, hint: m.members_hint, Picture: Users },
  { link: manageLink('home'), name: m.admin_home_screen, hint: m.admin_hint_home, Picture: House },
  { link: manageLink('training'), name: m.admin_training_content, hint: m.admin_hint_training, Picture: GraduationCap },
  { link: manageLink('newrepstart'), name: m.admin_new_rep_start, hint: m.admin_hint_newrepstart, Picture: Flag },
  { link: manageLink('licensing'), name: m.admin_licensing, hint: m.admin_hint_licensing, Picture: BadgeCheck },
  { link: manageLink('schedule'), name: m.admin_schedule, hint: m.admin_hint_schedule, Picture: CalendarDays },
  { link: manageLink('chat'), name: m.admin_chat_management, hint: m.admin_hint_chat, Picture: MessagesSquare },
  { link: manageLink('notifications'), name: m.admin_notification_management, hint: m.admin_hint_notifications, Picture: Bell },
  { link: { to: '/admin/settings' }, name: m.admin_settings, hint: m.admin_hint_settings, Picture: SlidersHorizontal },
  { link: { to: '/house-rules' }, name: m.safety_rules_entry, hint: m.safety_rules_hint, Picture: Scale },
  { link: { to: '/admin/records' }, name: m.records_title, hint: m.records_hint, Picture: Archive },
  { link: { to: '/admin/audit' }, name: m.audit_title, hint: m.audit_hint, Picture: History },
]

type AdminScreenProps = {
  /** What decides on the layout is still on its way. */
  isWaiting?: boolean
  /** What needs attention, and the team in figures. */
  children?: ReactNode
  /** Further tiles, which know more than an address. */
  tiles?: ReactNode
  /** Below the menu. */
  footer?: ReactNode
}

/** What waits for an admin, the team in figures, and one menu of all they manage; the app passes in what other features show. */
export function AdminScreen({ isWaiting, children, tiles, footer }: AdminScreenProps) {
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
      <Section title={m.admin_menu()}>
        <ul aria-label={m.admin_menu()} className="grid gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
          {MENU.map(({ link, name, hint, Picture, isPrimary }) => (
            <li key={name()} className="grid">
              <TileLink {...link} picture={Picture} detail={hint()} isPrimary={isPrimary}>
                {name()}
              </TileLink>
            </li>
          ))}
          {inItems(tiles)}
        </ul>
      </Section>
      {footer}
    </Screen>
  )
}

// A feature that this server does not have shows nothing.
const inItems = (tiles: ReactNode) =>
  Children.map(tiles, (tile) => <li className="grid empty:hidden">{tile}</li>)
