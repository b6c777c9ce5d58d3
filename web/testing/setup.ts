import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { connectSupabase } from '#lib/supabase/supabase-connection.ts'

configure({ asyncUtilTimeout: 10_000 })

// Every test reconnects, which the client warns about.
const warn = console.warn.bind(console)
console.warn = (...texts: unknown[]) => {
  if (!String(texts[0]).includes('Multiple GoTrueClient instances')) warn(...texts)
}

// No component test reaches a real backend unless it connects to one itself.
beforeEach(() => {
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  vi.stubGlobal('alert', vi.fn())
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

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
