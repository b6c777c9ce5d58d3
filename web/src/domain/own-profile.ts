import { queryOptions } from '@tanstack/react-query'
import type { Row } from '#data/database.ts'
import { noteAdmin } from '#data/kept/device-data.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { isSignedInAs, nameGiven } from '#data/session/session.ts'
import { auth, database } from '#data/supabase.ts'

export type OwnProfile = Row<'users'>

const NO_ROW = 'PGRST116'

/** The member's own row of `users`: name, role and permissions. */
export const ownProfileQuery = (userId: string) =>
  queryOptions({
    ...keptOnDevice(),
    queryKey: ['users', 'own', userId],
    queryFn: () => loadOwnProfile(userId),
  })

async function loadOwnProfile(userId: string): Promise<OwnProfile> {
  const read = () => database.from('users').select('*').eq('id', userId).single()
  const found = await read()
  if (found.data) {
    // It may come after the member has logged out.
    if (isSignedInAs(userId)) noteAdmin(userId, found.data.role === 'admin')
    return found.data
  }
  if (found.error.code !== NO_ROW) throw found.error

  await createOwnProfile(userId)
  const created = await read()
  if (created.error) throw created.error
  return created.data
}

/** The database sets id, e-mail and role, whatever is sent here (product.md P10). A failure is only logged. */
async function createOwnProfile(userId: string) {
  const { data } = await (await auth()).getSession()
  const user = data.session?.user
  const { error } = await database.from('users').insert({
    id: userId,
    email: user?.email,
    first_name: nameGiven(user, 'first_name'),
    last_name: nameGiven(user, 'last_name'),
    role: 'user',
  })
  if (error) console.error('The profile could not be created', error)
}
