import { useSyncExternalStore } from 'react'
import { isAway, isUnreachable } from './notify-error.ts'
import { connectedConfig } from './supabase-connection.ts'

/**
 * `offline`: the device has no connection, as far as the browser knows. `no-answer`: it has one, but the server has not
 * answered for some seconds.
 */
export type Reach = 'online' | 'offline' | 'no-answer'

/** What failed once is asked again after this, because a connection is lost for a moment often enough. */
const DOUBT_MS = 2_000
/** A server that takes this long for its shortest response counts as unreachable. */
const TIMEOUT_MS = 8_000
const ASK_AGAIN_MS = 10_000

let isAnswering = true
let asking: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const returns = new Set<() => void>()

/** Passes a request's outcome on, and learns from it whether the server answers. */
export async function learnReach(request: Promise<Response>): Promise<Response> {
  try {
    const reply = await request
    if (isAway(reply.status)) doubtServer()
    else noteAnswer()
    return reply
  } catch (error) {
    if (isUnreachable(error)) doubtServer()
    throw error
  }
}

/** Something failed on the way: the server is asked whether it is there. */
export function doubtServer() {
  asking ??= setTimeout(() => void ask(), DOUBT_MS)
}

/** The server has answered, whatever it said. */
export function noteAnswer() {
  clearTimeout(asking)
  asking = undefined
  setAnswering(true)
}

async function ask() {
  if (navigator.onLine && document.visibilityState === 'visible') {
    if (await isThere()) return noteAnswer()
    setAnswering(false)
  }
  // Thousands of devices ask a server that comes back, but not at the same moment.
  asking = setTimeout(() => void ask(), ASK_AGAIN_MS * (1 + Math.random()))
}

async function isThere(): Promise<boolean> {
  const { supabaseUrl, supabaseKey } = connectedConfig()
  try {
    const { status } = await fetch(`${supabaseUrl}/auth/v1/health`, {
      headers: { apikey: supabaseKey },
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return !isAway(status)
  } catch {
    return false
  }
}

function setAnswering(next: boolean) {
  if (isAnswering === next) return
  isAnswering = next
  for (const listener of listeners) listener()
  if (isAnswering) for (const listener of returns) listener()
}

/** Calls `listener` whenever the server answers again after it did not. */
export function onServerBack(listener: () => void) {
  returns.add(listener)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

function reach(): Reach {
  if (!navigator.onLine) return 'offline'
  return isAnswering ? 'online' : 'no-answer'
}

/** Whether this device and the server reach each other. */
export function useReach(): Reach {
  return useSyncExternalStore(subscribe, reach)
}
