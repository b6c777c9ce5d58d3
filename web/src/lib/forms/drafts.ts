const PREFIX = 'draft:'
const KEPT_PREFIX = 'draft-kept:'

/** Text a member typed but did not send. Kept on the device, so an expired session loses nothing. */
export function readDraft(name: string): string {
  return localStorage.getItem(PREFIX + name) ?? ''
}

/** How many drafts this member has on the device and nowhere else. */
export function countDrafts(memberId: string): number {
  return draftNames(memberId).filter((name) => readDraft(name) !== readKeptDraft(name)?.saved)
    .length
}

/** The names of this member's drafts that begin so. */
export function draftNames(memberId: string, beginning = ''): string[] {
  return namesOf(PREFIX, memberId, beginning)
}

/** The names of drafts of which the server has, or had, a text. */
export function keptDraftNames(memberId: string, beginning: string): string[] {
  return namesOf(KEPT_PREFIX, memberId, beginning)
}

/** For logging out. */
export function forgetDrafts(memberId: string) {
  for (const prefix of [PREFIX, KEPT_PREFIX])
    for (const name of namesOf(prefix, memberId, '')) localStorage.removeItem(prefix + name)
}

function namesOf(prefix: string, memberId: string, beginning: string): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix + beginning) && key.split(':').includes(memberId))
    .map((key) => key.slice(prefix.length))
}

/** Saves a draft, or deletes an empty one. The name contains its owner: `chat:<user id>:<chat id>`. */
export function writeDraft(name: string, text: string) {
  if (text) localStorage.setItem(PREFIX + name, text)
  else localStorage.removeItem(PREFIX + name)
}

/**
 * What the server has of a draft (null: unknown, no response to a save yet), since when, and when it was last typed
 * here by this device's clock.
 */
export type KeptDraft = { saved: string | null; savedAt: string | null; typedAt: number }

export function readKeptDraft(name: string): KeptDraft | null {
  return JSON.parse(localStorage.getItem(KEPT_PREFIX + name) ?? 'null') as KeptDraft | null
}

export function writeKeptDraft(name: string, kept: KeptDraft) {
  localStorage.setItem(KEPT_PREFIX + name, JSON.stringify(kept))
}
