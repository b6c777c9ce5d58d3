import { auth } from '#data/session/auth.ts'
import { signOut } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'

/**
 * Changes the password and ends every session, including this one: anyone with the old password is out, and
 * the member signs in with the new one.
 */
export async function setNewPassword({ password }: { password: string }) {
  const { error } = await (await auth()).updateUser({ password })
  // The session began otherwise, or its link was opened more than 15 minutes ago.
  if (error?.code === 'current_password_required')
    return { error: { message: m.auth_new_password_needs_link() } }
  if (error) return { error }
  const ended = await signOut('global')
  if (ended.error) await signOut('local')
  return { error: null }
}
