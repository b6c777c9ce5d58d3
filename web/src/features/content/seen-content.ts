const KEY = 'content-seen:'

type Seen = Record<string, string>

/**
 * When the member last opened each category on this device. Before the first visit nothing counts as new:
 * everything would be.
 */
export function readSeen(memberId: string): Seen {
  return JSON.parse(localStorage.getItem(KEY + memberId) ?? '{}') as Seen
}

export function markSeen(memberId: string, category: string, now: string) {
  localStorage.setItem(KEY + memberId, JSON.stringify({ ...readSeen(memberId), [category]: now }))
}

/** Categories that were never opened are seen from when their list was first shown. */
export function startSeeing(memberId: string, categories: readonly string[], now: string) {
  const seen = readSeen(memberId)
  const missing = categories.filter((category) => !(category in seen))
  if (missing.length === 0) return
  const started = Object.fromEntries(missing.map((category) => [category, now]))
  localStorage.setItem(KEY + memberId, JSON.stringify({ ...started, ...seen }))
}

/** Whether an item was added or changed since the member last looked. */
export function isNewSince(updatedAt: string, seenAt: string | undefined): boolean {
  return seenAt !== undefined && Date.parse(updatedAt) > Date.parse(seenAt)
}
