import { useEffect, useState } from 'react'
import { auth, database } from '#data/supabase.ts'

const POLL_MS = 3000

/** Polls at once and every three seconds until the address is confirmed (product.md P4). */
export function useEmailVerified(userId: string | undefined): boolean {
  const [isVerified, setIsVerified] = useState(false)

  useEffect(() => {
    if (isVerified) return
    let isCurrent = true
    const check = () =>
      // Not confirmed, "Auth session missing!" and no network all mean: still pending, poll again.
      isEmailConfirmed(userId).then(
        (isConfirmed) => isCurrent && setIsVerified(isConfirmed),
        (error: unknown) => console.warn('Still waiting for verification', error),
      )
    void check()
    const timer = setInterval(() => void check(), POLL_MS)
    return () => {
      isCurrent = false
      clearInterval(timer)
    }
  }, [userId, isVerified])

  return isVerified
}

async function isEmailConfirmed(userId: string | undefined): Promise<boolean> {
  const { data } = await (await auth()).getSession()
  const signedInAs = data.session?.user.id
  // The link was opened in this browser: its session tells.
  if (signedInAs && (!userId || signedInAs === userId)) {
    const result = await (await auth()).getUser()
    if (result.error) throw result.error
    return Boolean(result.data.user.email_confirmed_at)
  }
  if (!userId) return false
  // The link was opened elsewhere, so there is no session here; the database says yes or no for this one
  // id.
  const result = await database.rpc('email_confirmed', { user_id: userId })
  if (result.error) throw result.error
  return result.data === true
}
