import { afterAll, vi } from 'vitest'

// The next file may run in the same process.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

// A test of plain functions says `@vitest-environment node`: making a page, which it does not need, takes longer than it does.
if (typeof window !== 'undefined') (await import('./setup-page.ts')).keepPageClean()
