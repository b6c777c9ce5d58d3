import { auth } from '#lib/auth.ts'
import { signOut } from '#lib/session.ts'

/**
 * Changes the password and ends every session, this one too: whoever knew the old password is out,
 * and the member logs in with the new one.
 */
export async function setNewPassword({ password }: { password: string }) {
  const { error } = await auth.updateUser({ password })
  if (error) return { error }
  const ended = await signOut('global')
  if (ended.error) await signOut('local')
  return { error: null }
}
