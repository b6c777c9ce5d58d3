const PREFIX = 'draft:'

/** Text a member typed but did not send. Kept on the device, so an expired session loses nothing. */
export function readDraft(name: string): string {
  return localStorage.getItem(PREFIX + name) ?? ''
}

/** How many drafts this member has on the device. */
export function countDrafts(memberId: string): number {
  return draftsOf(memberId).length
}

/** The names of this member's drafts that begin so. */
export function draftNames(memberId: string, beginning: string): string[] {
  return draftsOf(memberId)
    .map((key) => key.slice(PREFIX.length))
    .filter((name) => name.startsWith(beginning))
}

/** For logging out. */
export function forgetDrafts(memberId: string) {
  for (const key of draftsOf(memberId)) localStorage.removeItem(key)
}

function draftsOf(memberId: string): string[] {
  return Object.keys(localStorage).filter(
    (key) => key.startsWith(PREFIX) && key.split(':').includes(memberId),
  )
}

/** Saves a draft, or deletes an empty one. The name contains its owner: `chat:<user id>:<chat id>`. */
export function writeDraft(name: string, text: string) {
  if (text) localStorage.setItem(PREFIX + name, text)
  else localStorage.removeItem(PREFIX + name)
}
