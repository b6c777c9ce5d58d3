import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'

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

  const release = useEffectEvent(() => {
    if (held.current === null) return
    held.current = null
    clearTimeout(timer.current)
    onReleased()
  })
  const placeAgain = useEffectEvent(() => {
    if (held.current !== null) place(held.current)
  })
  const releaseSoon = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(release, SETTLED_MS)
  })

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      placeAgain()
      releaseSoon()
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
    hold(key: string) {
      held.current = key
      place(key)
    },
    letGo: () => void (held.current = null),
    isHolding: () => held.current !== null,
  }
}
