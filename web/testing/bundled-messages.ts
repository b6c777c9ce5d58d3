import { fileURLToPath } from 'node:url'

/** The catalogue has a module for each message, two thousand files: tests load it as one, which saves each file seconds. */
export const BUNDLED_MESSAGES = fileURLToPath(
  new URL('../node_modules/.cache/messages', import.meta.url),
)
