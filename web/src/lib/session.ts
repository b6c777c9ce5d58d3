import type { Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { auth } from './auth.ts'
import { storedSession } from './stored-session.ts'
import { whenConnected } from './supabase-connection.ts'

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-in'; session: Session; userId: string }
  /** `leaving`: the member logged out, so the next login starts at Home and not on the page left. */
  | { status: 'signed-out'; leaving: boolean }

let state: SessionState = { status: 'loading' }
let leaving = false
let lastUserId = ''
let stopListening = () => {}
const listeners = new Set<() => void>()

whenConnected(() => {
  // Renewing an old session takes the client half a minute to give up, so who knows to be offline is not kept waiting.
  const kept = navigator.onLine ? null : storedSession()
  setState(kept ? signedInWith(kept) : { status: 'loading' })
  // Also fires for what happens in other tabs. No awaiting in here: the client holds its lock meanwhile.
  stopListening()
  const { data } = auth.onAuthStateChange((event, session) => {
    // The client starts with "no session" when it cannot renew an old one, yet keeps it for when the server answers.
    const current = session ?? (event === 'INITIAL_SESSION' ? storedSession() : null)
    setState(current ? signedInWith(current) : { status: 'signed-out', leaving })
  })
  stopListening = () => data.subscription.unsubscribe()
})

function signedInWith(session: Session): SessionState {
  leaving = false
  lastUserId = session.user.id
  return { status: 'signed-in', session, userId: session.user.id }
}

function setState(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who is signed in. "loading" until the stored session or the token of a mailed link has been read. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** For screens behind the session guard, where somebody is always signed in. */
export function useUserId(): string {
  const session = useSession()
  // While a sign-out travels up to the guard, a screen may draw once more: as the member it was drawn for.
  return session.status === 'signed-in' ? session.userId : lastUserId
}

/** For what is no part of a screen. */
export function isSignedInAs(userId: string): boolean {
  return state.status === 'signed-in' && state.userId === userId
}

/** Invited by mail and not finished: the address is confirmed, but without a password nobody could come back. */
export function needsPassword({ user }: Session): boolean {
  return (user.user_metadata as Record<string, unknown> | undefined)?.needs_password === true
}

type Scope = 'local' | 'global' | 'others'
type Farewell = (scope: Scope) => Promise<unknown>
const farewells = new Set<Farewell>()

/** What must still be done as the member before devices are signed out, such as taking back their push tokens. */
export function beforeSignOut(farewell: Farewell) {
  farewells.add(farewell)
  return () => farewells.delete(farewell)
}

/** Ends this device's session, every other one, or all of them. */
export async function signOut(scope: Scope) {
  // Without a connection the farewells fail, and the member leaves all the same.
  await Promise.allSettled([...farewells].map((farewell) => farewell(scope)))
  if (scope === 'others') return auth.signOut({ scope })
  // Only now: a farewell may refresh the token, which looks like somebody coming in.
  leaving = true
  const { error } = await auth.signOut({ scope })
  if (error) leaving = false
  return { error }
}
