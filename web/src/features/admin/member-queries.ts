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

/** Every current member by first name (spec section 7); former ones have no permissions to manage. */
export const managedMembersQuery = () =>
  queryOptions({
    queryKey: ['users', 'managed'],
    queryFn: async ({ signal }) => {
      const { data } = await database
        .from('users')
        .select('*')
        .eq('is_active', true)
        .order('first_name')
        .order('last_name')
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<ManagedMember[], { merge: false }>()
      return data
    },
  })

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
