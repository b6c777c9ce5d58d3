import { getLocale } from '#lib/messages/runtime.js'
import { auth, database } from '#lib/supabase.ts'

type NewMember = { firstName: string; lastName: string; password: string }

/** Completes the account that an invitation made: the name that the team sees, then the password that opens it again. */
export async function acceptInvitation(
  userId: string,
  { firstName, lastName, password }: NewMember,
) {
  const name = { first_name: firstName, last_name: lastName }
  const { error } = await database.from('users').update(name).eq('id', userId)
  if (error) return { error }
  const data = { ...name, locale: getLocale(), needs_password: false }
  const answer = await auth.updateUser({ password, data })
  // The answer to an earlier try was lost: the password is set, and what is missing is that this session knows it.
  return answer.error?.code === 'same_password' ? auth.updateUser({ data }) : answer
}
