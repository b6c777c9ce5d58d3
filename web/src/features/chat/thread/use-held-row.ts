import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/** A row is in its place once no height around it has changed for this long. */
const SETTLED_MS = 1_000

type HeldRowInput = {
  scroller: RefObject<HTMLElement | null>
  /** Scrolls to the row, as far as the list is high by now. */
  place: (key: string) => void
  onReleased: () => void
}

/**
 * Scrolls to a row, again and again while the rows around it turn out higher than estimated: until then the list may end
 * before the row's place. Whoever scrolls takes over.
 */
export function useHeldRow({ scroller, place, onReleased }: HeldRowInput) {
  const held = useRef<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // As of the latest drawing.
  const latest = useRef({ place, onReleased })
  useLayoutEffect(() => void (latest.current = { place, onReleased }))

  function hold(key: string) {
    held.current = key
    latest.current.place(key)
    clearTimeout(timer.current)
    timer.current = setTimeout(release, SETTLED_MS)
  }

  function release() {
    if (held.current === null) return
    held.current = null
    clearTimeout(timer.current)
    latest.current.onReleased()
  }

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (held.current !== null) hold(held.current)
    })
    for (const part of element.children) observer.observe(part)
    const taken = new AbortController()
    for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      element.addEventListener(input, () => release(), { passive: true, signal: taken.signal })
    return () => {
      observer.disconnect()
      taken.abort()
      clearTimeout(timer.current)
    }
  }, [scroller])

  return {
    hold,
    letGo: () => void (held.current = null),
    isHolding: () => held.current !== null,
  }
}
