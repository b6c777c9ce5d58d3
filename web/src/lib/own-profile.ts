import { queryOptions } from '@tanstack/react-query'
import { auth, database } from './supabase.ts'

export type OwnProfile = {
  id: string
  email: string
  first_name: string | null
  last_name: string | null
  role: string
  created_at: string
  rally_enabled: boolean | null
  can_create_chats: boolean | null
  can_send_messages: boolean | null
  hidden_chats: string[] | null
  archived_chats: string[] | null
}

const NO_ROW = 'PGRST116'

/** The member's own row of `users`: name, role and permissions. */
export const ownProfileQuery = (userId: string) =>
  queryOptions({ queryKey: ['users', 'own', userId], queryFn: () => loadOwnProfile(userId) })

async function loadOwnProfile(userId: string): Promise<OwnProfile> {
  const read = () => database.from('users').select('*').eq('id', userId).single<OwnProfile>()
  const found = await read()
  if (found.data) return found.data
  if (found.error.code !== NO_ROW) throw found.error

  await createOwnProfile(userId)
  const created = await read()
  if (created.error) throw created.error
  return created.data
}

/** The database decides id, e-mail and role, whatever is sent here. A failure is only logged, as the product says. */
async function createOwnProfile(userId: string) {
  const { data } = await auth.getSession()
  const user = data.session?.user
  const { error } = await database.from('users').insert({
    id: userId,
    email: user?.email,
    first_name: user?.user_metadata.first_name as string | undefined,
    last_name: user?.user_metadata.last_name as string | undefined,
    role: 'user',
  })
  if (error) console.error('The profile could not be created', error)
}
