import {
  BadgeCheck,
  Bell,
  CalendarDays,
  Calculator,
  GraduationCap,
  House,
  MessageCircle,
  ShieldCheck,
  UserRound,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import { matchPath } from 'react-router'
import { m } from '#lib/messages/messages.js'

export type NavigationItem = {
  path: string
  /** Screens that belong to this item but have their own address. */
  also?: string
  label: () => string
  icon: LucideIcon
}

export const MAIN_ITEMS: NavigationItem[] = [
  { path: '/home', also: '/newrepstart', label: m.app_nav_home, icon: House },
  { path: '/notifications', label: m.app_nav_notifications, icon: Bell },
  { path: '/schedule', label: m.app_nav_schedule, icon: CalendarDays },
  { path: '/chat', label: m.app_nav_chat, icon: MessageCircle },
]

export const MORE_ITEMS: NavigationItem[] = [
  { path: '/licensing', label: m.app_nav_licensing, icon: BadgeCheck },
  { path: '/training', label: m.app_nav_training, icon: GraduationCap },
  { path: '/calculator', label: m.app_nav_calculator, icon: Calculator },
  { path: '/people', label: m.app_nav_people, icon: UsersRound },
  { path: '/profile', label: m.app_nav_profile, icon: UserRound },
]

export const ADMIN_ITEM: NavigationItem = {
  path: '/admin',
  also: '/admin-manage',
  label: m.app_nav_admin,
  icon: ShieldCheck,
}

/** Whether the open screen belongs to this item. */
export function isWithin({ path, also }: NavigationItem, pathname: string): boolean {
  return [path, also].some((each) => each && matchPath(`${each}/*`, pathname) !== null)
}
