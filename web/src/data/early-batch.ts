// A screen begins with the same requests each time. They are remembered on the device, and the page sends them while the code is
// still loading (web/early-batch-script.ts).

/** In localStorage: batches by the path of their screen, the latest first. */
export const EARLY_BATCHES = 'early-batches'

/** Enough for the tabs and the latest chats. */
const MOST_SCREENS = 10
/** In characters. */
const MOST_BODY = 20_000
/** Since the page was opened. Live updates find what changed in the minute before a screen read it; this uses up part of that. */
const USABLE_FOR_MS = 20_000

type Batch = { url: string; headers: { apikey: string; authorization: string }; body: string }
/** The response is null if the server was not reached. */
export type EarlyBatch = Batch & { response: Promise<Response | null> }

declare global {
  interface Window {
    earlyBatch?: EarlyBatch | undefined
  }
}

let isFirst = true

/**
 * The response to the page's first batch if it was sent early; null if a batch has to be sent now. Remembers the first one for
 * the next time its screen is opened.
 */
export async function earlyResponse(batch: Batch): Promise<Response | null> {
  if (!isFirst) return null
  isFirst = false
  const { earlyBatch } = window
  window.earlyBatch = undefined
  remember(batch)
  const isUsable = earlyBatch && isSame(earlyBatch, batch) && performance.now() < USABLE_FOR_MS
  const response = isUsable ? await earlyBatch.response : null
  return response && response.status < 500 ? response : null
}

const isSame = (one: Batch, other: Batch) =>
  one.url === other.url &&
  one.headers.authorization === other.headers.authorization &&
  one.body === other.body

function remember({ url, headers: { apikey }, body }: Batch) {
  if (body.length > MOST_BODY) return
  const others = Object.entries(rememberedBatches()).filter(([path]) => path !== location.pathname)
  const batches = [[location.pathname, { url, apikey, body }], ...others].slice(0, MOST_SCREENS)
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

/** For the next member on this device. */
export function forgetEarlyBatches() {
  localStorage.removeItem(EARLY_BATCHES)
}
