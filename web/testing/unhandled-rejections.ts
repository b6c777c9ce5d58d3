import { vi } from 'vitest'

/** What `work` and the imports it starts leave rejected without anybody looking. */
export async function unhandledRejectionsOf(work: () => void): Promise<unknown[]> {
  const found: unknown[] = []
  const keep = (reason: unknown) => void found.push(reason)
  process.on('unhandledRejection', keep)
  try {
    work()
    await vi.dynamicImportSettled()
    // Node reports them before it turns to the next task.
    await new Promise(setImmediate)
    return found
  } finally {
    process.off('unhandledRejection', keep)
  }
}
