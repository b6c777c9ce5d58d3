import type { Session, User } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { whenConnected } from '#lib/server/supabase-connection.ts'
import { auth, whenAuthLoaded } from './auth.ts'
import { claimOf } from './second-factor.ts'
import { freshSession, SESSION_KEY, storedSession } from './stored-session.ts'

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-in'; session: Session; userId: string }
  /**
   * `leaving`: the member logged out, so the next login starts at Home instead of the last page. `ended`: the session ended
   * elsewhere, or the account is suspended or no longer there, which the login screen says.
   */
  | { status: 'signed-out'; leaving: boolean; ended: 'elsewhere' | 'gone' | null }

/** Late enough not to compete with the first screen. */
const LOADED_AFTER_MS = 1500

let state: SessionState = { status: 'loading' }
let leaving = false
let isGone = false
/** The account client has said what session it found. */
let hasReported = false
/** There was a session when the app was opened, which the client may have had to give up before it could say so. */
let wasStored = false
let lastUserId = ''
let loading: ReturnType<typeof setTimeout> | undefined
let stopListening = () => {}
const listeners = new Set<() => void>()

whenConnected(() => {
  stopListening()
  setState(firstState())
  clearTimeout(loading)
  if (state.status === 'loading') void loadClient()
  else loading = setTimeout(() => void loadClient(), LOADED_AFTER_MS)
})

/** What is known without the account client, which is loaded later then. */
function firstState(): SessionState {
  // A mailed link brings its own session, or says why it does not.
  if (/access_token=|error_description=/.test(location.hash + location.search))
    return { status: 'loading' }
  wasStored = storedSession() !== null
  // The client takes 30 s to give up refreshing an expired session; offline, the stored one is used right away.
  const stored = navigator.onLine ? freshSession() : storedSession()
  if (stored) return signedInWith(stored)
  return storedSession() ? { status: 'loading' } : signedOutBy('INITIAL_SESSION')
}

// Another tab signed in or out, which the client hears of only once it is there.
addEventListener('storage', ({ key }) => {
  if (key === SESSION_KEY || key === null) void loadClient()
})

/** The client refreshes the session, and hears of other tabs. */
async function loadClient() {
  try {
    await auth()
  } catch (error) {
    console.warn('The account client could not be loaded', error)
    if (state.status !== 'loading') return
    const stored = storedSession()
    setState(stored ? signedInWith(stored) : signedOutBy('INITIAL_SESSION'))
  }
}

whenAuthLoaded((client) => {
  // Also fires for other tabs. Never await in here: the client holds its lock.
  hasReported = false
  const { data } = client.onAuthStateChange((event, session) => {
    hasReported = true
    // The client reports no session while it cannot refresh an expired one, but keeps it to retry.
    const current = session ?? (event === 'INITIAL_SESSION' ? storedSession() : null)
    setState(current ? signedInWith(current) : signedOutBy(event))
  })
  stopListening = () => data.subscription.unsubscribe()
})

function signedInWith(session: Session): SessionState {
  leaving = isGone = false
  lastUserId = session.user.id
  return { status: 'signed-in', session, userId: session.user.id }
}

function signedOutBy(event: string): SessionState {
  const isEnded = (event === 'SIGNED_OUT' || wasStored) && !leaving
  const reason = isGone ? 'gone' : 'elsewhere'
  return { status: 'signed-out', leaving, ended: isEnded ? reason : null }
}

function setState(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The current session; "loading" until the stored session or the token of a mailed link has been read. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** For screens behind the session guard, where a member is always signed in. */
export function useUserId(): string {
  const session = useSession()
  // A screen may render once more before the guard reacts to a sign-out; it keeps its member.
  return session.status === 'signed-in' ? session.userId : lastUserId
}

/** Changes when the member signs in again, as for a new password; empty once the session is over. */
export function useSessionId(): string {
  const session = useSession()
  return session.status === 'signed-in' ? claimOf(session.session, 'session_id') : ''
}

/** The member's account, as the session tells it; undefined once it is over. */
export function useAccount(): User | undefined {
  const session = useSession()
  return session.status === 'signed-in' ? session.session.user : undefined
}

/** For code outside React. */
export function isSignedInAs(userId: string): boolean {
  return state.status === 'signed-in' && state.userId === userId
}

/** A name from the data of the sign-up, where a caller of the auth service may have put anything. */
export function nameGiven(
  user: User | undefined,
  part: 'first_name' | 'last_name',
): string | undefined {
  const name: unknown = user?.user_metadata?.[part]
  return typeof name === 'string' ? name : undefined
}

/** Whether an invited member has yet to choose a password: the address is confirmed, but there is no other way back in. */
export function needsPassword({ user }: Session): boolean {
  return (user.user_metadata as Record<string, unknown> | undefined)?.needs_password === true
}

let checking: Promise<void> | undefined

/** Asks the server whether this device's session still exists, and leaves it if not. Throws when offline. */
export function checkSession(): Promise<void> {
  checking ??= leaveIfEnded().finally(() => (checking = undefined))
  return checking
}

async function leaveIfEnded() {
  const { error } = await (await auth()).getUser()
  // The client itself drops an ended session, but not that of a suspended or deleted account.
  const isRefused = error?.status === 401 || error?.status === 403
  if (!isRefused || !storedSession() || leaving) return
  isGone = error.code === 'user_banned' || error.code === 'user_not_found'
  await (await auth()).signOut({ scope: 'local' })
}

type Scope = 'local' | 'global' | 'others'
type SignOutTask = (scope: Scope) => Promise<unknown>
const signOutTasks = new Set<SignOutTask>()

/** Registers cleanup that needs the session and runs before sign-out, such as removing push tokens. */
export function beforeSignOut(task: SignOutTask) {
  signOutTasks.add(task)
  return () => signOutTasks.delete(task)
}

/**
 * Revokes this device's session, every other one, or all of them. `isSignedOut`: this device has no session any more, also
 * when the request failed.
 */
export async function signOut(scope: Scope) {
  // Offline the cleanup fails, and the member is signed out all the same.
  await Promise.allSettled([...signOutTasks].map((task) => task(scope)))
  if (scope === 'others')
    return { ...(await (await auth()).signOut({ scope })), isSignedOut: false }
  const client = await auth()
  // A client that was loaded only now reports the stored session first.
  if (!hasReported) await client.getSession()
  // Only now: that, and cleanup, which may refresh the token, look like a sign-in and reset `leaving`.
  leaving = true
  const { error } = await client.signOut({ scope })
  const isSignedOut = !error || (await client.getSession()).data.session === null
  if (!isSignedOut) leaving = false
  return { error, isSignedOut }
}
