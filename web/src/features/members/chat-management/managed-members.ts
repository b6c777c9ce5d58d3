import { queryOptions } from '@tanstack/react-query'
import type { Row } from '#data/database.ts'
import { readAllPages } from '#data/read-all-pages.ts'
import { database } from '#data/supabase.ts'
import { nameOrAddress } from '#domain/member-name.ts'
import { sortedBy } from '#lib/i18n/sorted-by.ts'

export type Permission = 'rally_enabled' | 'can_create_chats' | 'can_send_messages'

export type ManagedMember = Pick<
  Row<'users'>,
  'id' | 'email' | 'first_name' | 'last_name' | 'role' | 'is_active' | Permission
>

/** Every current member by first name (product.md P101); former ones have no permissions to manage. */
export const managedMembersQuery = () =>
  queryOptions({
    queryKey: ['users', 'managed'],
    queryFn: async ({ signal }) => {
      const members = await readAllPages<ManagedMember>((first, last) =>
        database
          .from('users')
          .select('*')
          .eq('is_active', true)
          .order('id')
          .range(first, last)
          .abortSignal(signal)
          .throwOnError(),
      )
      return sortedBy(members, (member) => `${member.first_name} ${member.last_name}`)
    },
  })

export type MemberChange = Partial<Record<Permission, boolean> & { role: 'admin' | 'user' }>

/** In one request; its address names them all. */
const CHANGED_AT_ONCE = 100

/** Changes one permission or the role of members. If a request fails, those before it stay changed. */
export async function updateMembers(ids: readonly string[], change: MemberChange): Promise<void> {
  for (let first = 0; first < ids.length; first += CHANGED_AT_ONCE) {
    const some = ids.slice(first, first + CHANGED_AT_ONCE)
    await database.from('users').update(change).in('id', some).throwOnError()
  }
}

/** Whether every search word occurs in the name or address, ignoring accents. */
export function isMemberFound(member: ManagedMember, search: string): boolean {
  const text = plain(`${nameOrAddress(member)} ${member.email}`)
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
