import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { connectSupabase } from '#lib/supabase-connection.ts'

configure({ asyncUtilTimeout: 10_000 })

// Each test connects anew, which the client takes for a mistake.
const warn = console.warn.bind(console)
console.warn = (...texts: unknown[]) => {
  if (!String(texts[0]).includes('Multiple GoTrueClient instances')) warn(...texts)
}

// Nothing in a component test reaches a real backend unless the test connects to one itself.
beforeEach(() => {
  connectSupabase({ supabaseUrl: 'http://backend.test', supabaseKey: 'sb_publishable_test' })
  vi.stubGlobal('alert', vi.fn())
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

// jsdom has no layout: what Radix and the scrolling screens ask of an element answers harmlessly.
Element.prototype.scrollIntoView ??= () => {}
Element.prototype.scrollTo ??= () => {}
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.releasePointerCapture ??= () => {}
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
