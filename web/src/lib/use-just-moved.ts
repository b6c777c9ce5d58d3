import { useLayoutEffect, useRef, type RefObject } from 'react'

/** A finger that taps twice does so within this time. */
const DOUBLE_TAP_MS = 500

/**
 * For rows whose buttons take them out of their list.
 *
 * @returns whether the element took another's place in its list a moment ago: a press is then meant for the one before
 */
export function useJustMoved(element: RefObject<HTMLElement | null>): () => boolean {
  const place = useRef<number>(undefined)
  const movedAt = useRef(-DOUBLE_TAP_MS)
  useLayoutEffect(() => {
    const now = element.current?.offsetTop
    if (place.current !== undefined && place.current !== now) movedAt.current = performance.now()
    place.current = now
  })
  return () => performance.now() - movedAt.current < DOUBLE_TAP_MS
}
