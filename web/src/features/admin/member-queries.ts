import { queryOptions } from '@tanstack/react-query'
import { database } from '#lib/supabase.ts'

export type Permission = 'rally_enabled' | 'can_create_chats' | 'can_send_messages'

export type ManagedMember = {
  id: string
  email: string | null
  first_name: string
  last_name: string
  role: string
  is_active: boolean
} & Record<Permission, boolean>

/** Below what a hosted project gives at once (max_rows, 1000), or the rest would be missing in silence. */
const PAGE_SIZE = 500

/** Every current member by first name (spec section 7); former ones have no permissions to manage. */
export const managedMembersQuery = () =>
  queryOptions({
    queryKey: ['users', 'managed'],
    queryFn: async ({ signal }) => {
      const members: ManagedMember[] = []
      for (;;) {
        const page = await loadPage(members.length, signal)
        members.push(...page)
        if (page.length < PAGE_SIZE) return members
      }
    },
  })

async function loadPage(from: number, signal: AbortSignal): Promise<ManagedMember[]> {
  const { data } = await database
    .from('users')
    .select('*')
    .eq('is_active', true)
    .order('first_name')
    .order('last_name')
    .order('id')
    .range(from, from + PAGE_SIZE - 1)
    .abortSignal(signal)
    .throwOnError()
    .overrideTypes<ManagedMember[], { merge: false }>()
  return data
}

export type MemberChange = Partial<Record<Permission, boolean> & { role: 'admin' | 'user' }>

/** Changes one permission or the role of a member. */
export async function updateMember(id: string, change: MemberChange): Promise<void> {
  await database.from('users').update(change).eq('id', id).throwOnError()
}

export type MemberProgress = {
  user_id: string
  first_name: string
  last_name: string
  email: string | null
  done_count: number
  total_count: number
  next_title: string | null
  last_done_at: string | null
}

export const onboardingOverviewQuery = () =>
  queryOptions({
    queryKey: ['onboarding_progress', 'overview'],
    meta: { alsoReads: ['newrepstart_content', 'users'] },
    queryFn: async ({ signal }) => {
      const answer = await database.rpc('onboarding_overview').abortSignal(signal).throwOnError()
      return answer.data as MemberProgress[]
    },
  })

export function memberName(member: {
  first_name: string
  last_name: string
  email: string | null
}) {
  return `${member.first_name} ${member.last_name}`.trim() || member.email || ''
}

/** Whether every word typed occurs in the name or address, with or without its accents. */
export function isMemberFound(member: ManagedMember, search: string): boolean {
  const text = plain(`${memberName(member)} ${member.email}`)
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
