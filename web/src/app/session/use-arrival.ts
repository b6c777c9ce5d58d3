import { useState } from 'react'

/** How the current screen came in. */
export function useArrival(screen: string): Arrival {
  const [last, setLast] = useState({ screen, arrival: arrival(undefined, screen) })
  if (last.screen !== screen) setLast({ screen, arrival: arrival(last.screen, screen) })
  return last.arrival
}

/**
 * Which way a screen slides in: from the right when it is deeper, from the left on the way back, otherwise not at all.
 */
type Arrival = 'deeper' | 'back' | 'none'

const TABS = ['/home', '/notifications', '/schedule', '/chat']
/** Opened from a screen that is not a tab. */
const BELOW = ['/admin-manage', '/admin/invite', '/admin/members', '/admin/settings']

export function arrival(from: string | undefined, to: string): Arrival {
  if (from === undefined) return 'none'
  const step = depth(to) - depth(from)
  return step > 0 ? 'deeper' : step < 0 ? 'back' : 'none'
}

function depth(pathname: string): number {
  if (TABS.includes(pathname)) return 0
  if (pathname === '/admin/invitations') return 3
  return BELOW.includes(pathname) ? 2 : 1
}
