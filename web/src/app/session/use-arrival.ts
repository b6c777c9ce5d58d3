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

export function arrival(from: string | undefined, to: string): Arrival {
  if (from === undefined) return 'none'
  const step = depth(to) - depth(from)
  return step > 0 ? 'deeper' : step < 0 ? 'back' : 'none'
}

function depth(pathname: string): number {
  if (TABS.includes(pathname)) return 0
  // Opened from /admin and from /admin/invite.
  if (pathname === '/admin-manage') return 2
  if (pathname === '/admin/invitations') return 3
  return pathname.split('/').length - 1
}
