import { auth } from '#lib/auth.ts'
import { callFunction } from '#lib/call-function.ts'
import { needsPassword, signOut } from '#lib/session.ts'

/**
 * Changes the password and ends every session, this one too: whoever knew the old password is out,
 * and the member logs in with the new one.
 */
export async function setNewPassword({ password }: { password: string }) {
  const { data } = await auth.getSession()
  // Somebody invited who never finished, and asked for a reset instead.
  const isFirst = data.session && needsPassword(data.session)
  const { error } = await auth.updateUser(
    isFirst ? { password, data: { needs_password: false } } : { password },
  )
  if (error) return { error }
  // Devices that are signed out by this must not go on showing messages. Where it fails, the password still changed.
  await callFunction('forget_push_devices').catch((failure: unknown) =>
    console.warn('Push devices stay', failure),
  )
  const ended = await signOut('global')
  if (ended.error) await signOut('local')
  return { error: null }
}
