// Removes images that no message uses, as the Edge Function `push` does on hosted Supabase.
import type { Logger } from 'pino'
import {
  removeUnusedImages,
  type CleaningDependencies,
} from 'supabase-project/functions/push/remove-unused-images.ts'

const EVERY_MS = 10 * 60 * 1000

/** Runs every ten minutes until closed. */
export function startImageCleaning(dependencies: CleaningDependencies & { log: Logger }) {
  const { log } = dependencies
  let cleaning: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    cleaning = removeUnusedImages(dependencies).catch((error: unknown) =>
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
