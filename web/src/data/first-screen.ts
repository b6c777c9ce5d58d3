import { queryClient } from './query-client.ts'

const LOOKS_EVERY_MS = 100
/** Where the server does not respond, the rest must not wait for ever. */
const LATEST_MS = 5_000

let isRead = false

/**
 * Resolves once the first screen has read what it shows. Code that nobody waits for is loaded after that: on a slow connection it
 * would delay the responses.
 */
export async function firstScreenRead(): Promise<void> {
  const latest = performance.now() + LATEST_MS
  while (!isRead) {
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS))
    isRead ||= queryClient.isFetching() === 0 || performance.now() > latest
  }
}
