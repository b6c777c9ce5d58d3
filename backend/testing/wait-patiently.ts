// `vi.waitFor` gives up after a second by default. A busy machine is slow, not wrong.
import { vi } from 'vitest'

const TIMEOUT_MS = 15_000
const { waitFor } = vi

vi.waitFor = (callback, options) =>
  waitFor(callback, {
    timeout: TIMEOUT_MS,
    ...(typeof options === 'number' ? { timeout: options } : options),
  })
