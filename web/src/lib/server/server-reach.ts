import { useSyncExternalStore } from 'react'
import { isAway, isUnreachable } from './notify-error.ts'
import { connectedConfig } from './supabase-connection.ts'

/**
 * `offline`: the device has no connection, as far as the browser knows. `no-response`: it has one, but the server has not
 * responded for some seconds.
 */
export type Reach = 'online' | 'offline' | 'no-response'

/** What failed once is asked again after this, because a connection is lost for a moment often enough. */
const DOUBT_MS = 2_000
/** A server that takes this long for its shortest response counts as unreachable. */
const TIMEOUT_MS = 8_000
const ASK_AGAIN_MS = 10_000

let isResponding = true
let asking: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const returns = new Set<() => void>()

/** Passes a request's outcome on, and learns from it whether the server responds. */
export async function learnReach(request: Promise<Response>): Promise<Response> {
  try {
    const response = await request
    if (isAway(response.status)) doubtServer()
    else noteResponse()
    return response
  } catch (error) {
    if (isUnreachable(error)) doubtServer()
    throw error
  }
}

/** Something failed on the way: the server is asked whether it is there. */
export function doubtServer() {
  asking ??= setTimeout(() => void ask(), DOUBT_MS)
}

/** The server has responded, whatever it said. */
export function noteResponse() {
  clearTimeout(asking)
  asking = undefined
  setResponding(true)
}

async function ask() {
  if (navigator.onLine && document.visibilityState === 'visible') {
    if (await isThere()) return noteResponse()
    setResponding(false)
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

function setResponding(next: boolean) {
  if (isResponding === next) return
  isResponding = next
  for (const listener of listeners) listener()
  if (isResponding) for (const listener of returns) listener()
}

/** Calls `listener` whenever the server responds again after it did not. */
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
  return isResponding ? 'online' : 'no-response'
}

/** Whether this device and the server reach each other. */
export function useReach(): Reach {
  return useSyncExternalStore(subscribe, reach)
}
