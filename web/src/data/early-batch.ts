// A screen begins with the same requests each time. They are remembered on the device, and the page sends them while the code is
// still loading (web/early-batch-script.ts).

import { whenConnected } from '#lib/server/supabase-connection.ts'
import type { Database } from './database.ts'
import { storedSession } from './session/stored-session.ts'

/** In localStorage: batches by the path of their screen, the latest first. */
export const EARLY_BATCHES = 'early-batches'

/** Enough for the tabs and the latest chats. */
const MOST_SCREENS = 10
/** In characters. */
const MOST_BODY = 20_000
/** Live updates find what changed in the minute before a screen read it; this uses up part of that. */
const USABLE_FOR_MS = 20_000

/** Functions that only read: what is remembered is called again without being asked for. */
const READS = [
  'acts_as_admin',
  'acts_as_supervisor',
  'admin_dashboard',
  'archive_retention',
  'audit_entries',
  'blocked_people',
  'broken_links',
  'chat_list',
  'count_invitations',
  'count_members',
  'get_user_count',
  'house_rules',
  'legal_holds',
  'list_invitations',
  'list_members',
  'list_people',
  'my_notifications',
  'my_reports',
  'my_unacknowledged_notices',
  'setting_changes',
  'setup_checklist',
  'supervisors',
  'system_status',
  'unread_notification_count',
  'vice_presidents',
] as const satisfies (keyof Database['public']['Functions'])[]
const CALLS_TO_READ = new Set<string>(READS.map((name) => `/rest/v1/rpc/${name}`))

type Batch = { url: string; headers: { apikey: string; authorization: string }; body: string }
/** `sentAt` is in milliseconds since 1970. The response is null if the server was not reached. */
export type EarlyBatch = Batch & {
  sentAt: number
  response: Promise<Response | null>
  abort: () => void
}

declare global {
  interface Window {
    earlyBatch?: EarlyBatch | undefined
  }
}

let isFirst = true

whenConnected(({ takesBatches }) => {
  if (!takesBatches) forgetEarlyBatches()
})

/**
 * The response to the page's first batch if it was sent early; null if a batch has to be sent now. Remembers the first one for
 * the next time its screen is opened.
 */
export async function earlyResponse(batch: Batch, parts: Part[]): Promise<Response | null> {
  if (!isFirst) return null
  isFirst = false
  const { earlyBatch } = window
  window.earlyBatch = undefined
  if (isOwn(batch) && parts.every(isRead)) remember(batch)
  if (!earlyBatch) return null
  if (isSame(earlyBatch, batch) && isRecent(earlyBatch)) return earlyBatch.response
  earlyBatch.abort()
  return null
}

type Part = { url: URL; init: { method?: string | undefined } }

const isRead = ({ url: { pathname }, init: { method } }: Part) =>
  method !== 'POST' || CALLS_TO_READ.has(pathname)

/** Sent to the server that the page comes from, and by who is still signed in. */
const isOwn = ({ url, headers: { authorization } }: Batch) =>
  new URL(url).origin === location.origin &&
  authorization === `Bearer ${storedSession()?.access_token}`

const isSame = (one: Batch, other: Batch) =>
  one.url === other.url &&
  one.headers.authorization === other.headers.authorization &&
  one.body === other.body

function isRecent({ sentAt }: EarlyBatch) {
  const age = Date.now() - sentAt
  return age >= 0 && age < USABLE_FOR_MS
}

function remember({ headers: { apikey }, body }: Batch) {
  if (body.length > MOST_BODY) return
  const others = Object.entries(rememberedBatches()).filter(([path]) => path !== location.pathname)
  const batches = [[location.pathname, { apikey, body }], ...others].slice(0, MOST_SCREENS)
  try {
    localStorage.setItem(EARLY_BATCHES, JSON.stringify(Object.fromEntries(batches)))
  } catch (error) {
    console.warn('Could not remember what the screen asks for', error)
  }
}

function rememberedBatches(): Record<string, unknown> {
  try {
    return (
      (JSON.parse(localStorage.getItem(EARLY_BATCHES) ?? '{}') as Record<string, unknown>) ?? {}
    )
  } catch {
    return {}
  }
}

/** Nothing is asked for early any more, until a screen is opened again. */
export function forgetEarlyBatches() {
  localStorage.removeItem(EARLY_BATCHES)
}
