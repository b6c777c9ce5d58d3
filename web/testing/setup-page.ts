import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { auth } from '#data/session/auth.ts'
import { connectSupabase } from '#lib/server/supabase-connection.ts'

configure({ asyncUtilTimeout: 10_000 })

// Every test reconnects, which the client warns about.
const warn = console.warn.bind(console)
console.warn = (...texts: unknown[]) => {
  if (!String(texts[0]).includes('Multiple GoTrueClient instances')) warn(...texts)
}

/** For each file: several share a page, and this module is evaluated once in it. */
export function keepPageClean() {
  // No component test reaches a real backend unless it connects to one itself.
  beforeEach(async () => {
    connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
    // Its code arrives by itself, which a test that holds the clock could not wait for.
    await auth()
    vi.stubGlobal('alert', vi.fn())
  })

  afterEach(() => {
    cleanup()
    localStorage.clear()
    sessionStorage.clear()
  })
  afterAll(() => history.replaceState(null, '', '/'))
}

// jsdom has no layout: stubs for what Radix and the scrolling screens call. No media query matches: a large screen, a
// mouse, light.
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList
Element.prototype.scrollIntoView ??= () => {}
Element.prototype.scrollTo ??= () => {}
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.releasePointerCapture ??= () => {}
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
