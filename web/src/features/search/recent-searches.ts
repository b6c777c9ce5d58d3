const KEY = 'recent-searches:'
const MOST = 6

/** What the member searched for on this device, newest first. */
export function recentSearches(memberId: string): string[] {
  return JSON.parse(localStorage.getItem(KEY + memberId) ?? '[]') as string[]
}

export function rememberSearch(memberId: string, typed: string) {
  const search = typed.trim()
  if (search.length < 2) return
  const others = recentSearches(memberId).filter(
    (each) => each.toLowerCase() !== search.toLowerCase(),
  )
  localStorage.setItem(KEY + memberId, JSON.stringify([search, ...others].slice(0, MOST)))
}

export function forgetSearches(memberId: string) {
  localStorage.removeItem(KEY + memberId)
}
