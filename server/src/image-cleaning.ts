// Removes images that no message uses, as the Edge Function `push` does on hosted Supabase.
import type { Logger } from 'pino'
import {
  removeUnusedImages,
  type CleaningSurroundings,
} from 'supabase-project/functions/push/remove-unused-images.ts'

const EVERY_MS = 10 * 60 * 1000

/** Runs every ten minutes until closed. */
export function startImageCleaning(surroundings: CleaningSurroundings & { log: Logger }) {
  const { log } = surroundings
  let cleaning: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    cleaning = removeUnusedImages(surroundings).catch((error: unknown) =>
      log.warn({ err: error }, 'removing unused images failed; retrying later'),
    )
  }, EVERY_MS)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await cleaning
    },
  }
}
