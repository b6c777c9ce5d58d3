/** How a screen comes in: from the right when it lies deeper, from the left on the way back, on the spot otherwise. */
export type Arrival = 'deeper' | 'back' | 'beside'

const TABS = ['/home', '/notifications', '/schedule', '/chat']
/** Opened from another screen than a tab. */
const BELOW = ['/admin-manage', '/admin/invite']

export function arrival(from: string | undefined, to: string): Arrival {
  if (from === undefined) return 'beside'
  const step = depth(to) - depth(from)
  return step > 0 ? 'deeper' : step < 0 ? 'back' : 'beside'
}

function depth(pathname: string): number {
  if (TABS.includes(pathname)) return 0
  return BELOW.includes(pathname) ? 2 : 1
}
