// `vi.waitFor` gives up after a second by default. A busy machine is slow, not wrong.
import { vi } from 'vitest'

const TIMEOUT_MS = 15_000
const { waitFor } = vi

const waitPatiently: typeof waitFor = (callback, options) =>
  waitFor(callback, {
    timeout: TIMEOUT_MS,
    ...(typeof options === 'number' ? { timeout: options } : options),
  })

// Once, where files share a process.
if (waitFor.name !== waitPatiently.name) vi.waitFor = waitPatiently
