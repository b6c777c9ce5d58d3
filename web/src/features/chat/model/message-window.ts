import type { Message } from './chat-types.ts'

/**
 * The loaded part of a chat's history, without gaps. Live messages join it only while it reaches the newest
 * message, which it doesn't after a jump far back.
 */
export type MessageWindow = {
  messages: readonly Message[]
  hasOlder: boolean
  hasNewer: boolean
  /**
   * The server time up to which every message and change is known; null before the first load. Only fetches,
   * and live messages without a break since, advance it: not the response to an own message, which can
   * arrive while the live connection is dead.
   */
  syncedTo: string | null
  /** When it was read, if it is the device's offline copy and the server has not been reached since. */
  copiedAt?: number
  /** When its first page was read from the server. */
  readAt?: number
}

/** Server order: by time stored, then by id, so that every device agrees. */
export function compareMessages(
  a: Pick<Message, 'sent_at' | 'id'>,
  b: Pick<Message, 'sent_at' | 'id'>,
): number {
  return compareTimes(a.sent_at, b.sent_at) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Postgres has microseconds, a Date only milliseconds: compare the text to break ties. */
export function compareTimes(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b) || microseconds(a) - microseconds(b)
}

function microseconds(time: string): number {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? ''
  return Number(fraction.padEnd(6, '0').slice(3, 6))
}

/** Merges two loads of one chat: each message once, its latest version, in server order. */
export function mergeMessages(
  known: readonly Message[],
  incoming: readonly Message[],
): readonly Message[] {
  if (incoming.length === 0) return known
  const byId = new Map(known.map((message) => [message.id, message]))
  let changed = false
  for (const message of incoming) {
    const before = byId.get(message.id)
    const after = before ? latestVersion(before, message) : message
    if (after !== before) changed = true
    byId.set(message.id, after)
  }
  return changed ? [...byId.values()].sort(compareMessages) : known
}

// Pages, live events and send responses overtake each other; an older version never wins.
function latestVersion(known: Message, incoming: Message): Message {
  if (compareTimes(versionOf(incoming), versionOf(known)) < 0) return known
  const merged = {
    ...incoming,
    my_reactions: incoming.my_reactions ?? known.my_reactions,
    // Broadcasts leave it out.
    deleted_reason: incoming.deleted_reason ?? (incoming.is_deleted ? known.deleted_reason : null),
  }
  return JSON.stringify(merged) === JSON.stringify(known) ? known : merged
}

function versionOf({ changed_at, sent_at }: Message): string {
  return changed_at ?? sent_at
}

/** Adds a live message. Received without missing anything before it, it advances the sync point. */
export function addLiveMessage(
  window: MessageWindow,
  message: Message,
  missedNothing: boolean,
): MessageWindow {
  const updated = addMessage(window, message)
  if (!missedNothing) return updated
  return { ...updated, syncedTo: syncedFrom(updated.syncedTo, [message]) }
}

/** Adds a message that was just stored, or its change. */
export function addMessage(window: MessageWindow, message: Message): MessageWindow {
  const isKnown = window.messages.some(({ id }) => id === message.id)
  if (!isKnown && !belongsIn(window, message)) return window
  return withMessages(window, [message])
}

// Outside the window a message would leave a gap that looks like complete history.
function belongsIn(window: MessageWindow, message: Message): boolean {
  const first = window.messages[0]
  const last = window.messages.at(-1)
  if (window.hasNewer && (!last || compareMessages(message, last) > 0)) return false
  if (window.hasOlder && first && compareMessages(message, first) < 0) return false
  return true
}

export function addOlderPage(
  window: MessageWindow,
  page: readonly Message[],
  hasOlder: boolean,
): MessageWindow {
  return { ...withMessages(window, page), hasOlder }
}

export function addNewerPage(
  window: MessageWindow,
  page: readonly Message[],
  hasNewer: boolean,
): MessageWindow {
  return { ...withMessages(window, page), hasNewer }
}

/** A copy of the device with the newest page, unless there is a gap between them or it was caught up meanwhile. */
export function joinNewest(window: MessageWindow, newest: MessageWindow): MessageWindow {
  const { copiedAt, ...copy } = window
  const known = new Set(copy.messages.map(({ id }) => id))
  const meets = !newest.hasOlder || newest.messages.some(({ id }) => known.has(id))
  if (!copiedAt || !meets || window.hasNewer) return window
  // Changes of older messages are still unknown, so the sync point stays.
  return withMessages(copy, newest.messages)
}

const KEPT_WHEN_CLOSED = 100
/** Many screens: what is further away is forgotten, some pages at a time, and loaded again on the way back. */
const KEPT_LOADED = 400
const MOST_LOADED = 500

/** The end of a long window; the rest is reloaded on scrolling up. */
export function newestPart(window: MessageWindow): MessageWindow {
  if (window.messages.length <= KEPT_WHEN_CLOSED) return window
  return { ...window, messages: window.messages.slice(-KEPT_WHEN_CLOSED), hasOlder: true }
}

/** What the device keeps: the newest messages. */
export function keptPart(window: MessageWindow): MessageWindow | undefined {
  // A copy of the copy would look newer than it is, and a window in the past isn't where reading resumes.
  if (window.copiedAt || window.hasNewer) return undefined
  const { readAt: _, ...kept } = newestPart(window)
  return kept
}

export function asCopy(window: MessageWindow, copiedAt: number): MessageWindow {
  return { ...window, copiedAt }
}

/** The window without what is far below, for reading up. */
export function withoutFarNewer(window: MessageWindow): MessageWindow {
  if (window.messages.length <= MOST_LOADED) return window
  return { ...window, messages: window.messages.slice(0, KEPT_LOADED), hasNewer: true }
}

/** The window without what is far above, for reading down. */
export function withoutFarOlder(window: MessageWindow): MessageWindow {
  if (window.messages.length <= MOST_LOADED) return window
  return { ...window, messages: window.messages.slice(-KEPT_LOADED), hasOlder: true }
}

/** Applies changes since a moment: edits of loaded messages, and new ones if the end is loaded. */
export function addChanges(window: MessageWindow, changes: readonly Message[]): MessageWindow {
  return changes.reduce(addMessage, window)
}

/** The window's sync point once these are known too. */
export function syncedFrom(before: string | null, messages: readonly Message[]): string | null {
  return messages.reduce(
    (latest, message) =>
      latest && compareTimes(latest, versionOf(message)) >= 0 ? latest : versionOf(message),
    before,
  )
}

function withMessages(window: MessageWindow, incoming: readonly Message[]): MessageWindow {
  const messages = mergeMessages(window.messages, incoming)
  return messages === window.messages ? window : { ...window, messages }
}
