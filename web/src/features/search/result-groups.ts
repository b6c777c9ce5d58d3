import {
  BadgeCheck,
  CalendarDays,
  Flag,
  GraduationCap,
  Megaphone,
  MessageCircle,
  User,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { LICENSING_CATEGORIES } from '#domain/content-categories.ts'
import { m } from '#lib/messages/messages.js'
import type { Found } from './search-queries.ts'

type Kind = { kind: Found['kind']; name: () => string; icon: LucideIcon }

const KINDS: Kind[] = [
  { kind: 'person', name: m.search_people, icon: User },
  { kind: 'chat', name: m.search_chats, icon: Users },
  { kind: 'message', name: m.search_messages, icon: MessageCircle },
  { kind: 'training', name: m.content_training, icon: GraduationCap },
  { kind: 'licensing', name: m.content_licensing, icon: BadgeCheck },
  { kind: 'newrepstart', name: m.content_new_rep_start, icon: Flag },
  { kind: 'meeting', name: m.search_meetings, icon: CalendarDays },
  { kind: 'notice', name: m.search_notices, icon: Megaphone },
]

export type ResultGroup = Kind & { isNear: boolean; items: Found[] }

/** By kind; what is only similar comes after what matches. */
export function resultGroups(found: Found[]): ResultGroup[] {
  return KINDS.map((kind) => {
    const items = found.filter((each) => each.kind === kind.kind)
    return { ...kind, items, isNear: items.some((each) => each.is_near) }
  })
    .filter(({ items }) => items.length > 0)
    .toSorted((one, other) => Number(one.isNear) - Number(other.isNear))
}

/** Where a result is in the app; a person has no page. */
export function pathOf({ kind, id, chat_id, detail }: Found): string | null {
  switch (kind) {
    case 'chat':
      return `/chat/${id}`
    case 'message':
      return `/chat/${chat_id}?message=${id}`
    case 'training':
      return `/training?${new URLSearchParams({ category: detail ?? '' }).toString()}#${id}`
    case 'licensing':
      return `/licensing?tab=${LICENSING_CATEGORIES.find((each) => each.id === detail)?.tab}#${id}`
    case 'newrepstart':
      return `/newrepstart#${id}`
    case 'meeting':
      return `/schedule#${id}`
    case 'notice':
      return `/notifications#${id}`
    default:
      return null
  }
}
