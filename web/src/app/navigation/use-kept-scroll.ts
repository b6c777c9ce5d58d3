import { useLayoutEffect, type RefObject } from 'react'
import { NavigationType, useLocation, useNavigationType, type Location } from 'react-router'
import type { ReturnState } from '#ui/page-header.tsx'

/** How far down each screen was scrolled, by its address, the latest last. */
const positions = new Map<string, number>()
const MOST_SCREENS = 100

/** A screen may take this long to be as tall as it was. */
const WAITS_FOR_MS = 3_000
/** What the user does with the screen meanwhile counts for more. */
const TOUCHES = ['wheel', 'touchstart', 'pointerdown', 'keydown']

/** Going back, by the browser or by the arrow in a screen's header, leads to where one last was on the screen. */
export function useKeptScroll(scroller: RefObject<HTMLElement | null>) {
  const { key, pathname, search, state } = useLocation() as Location<Partial<ReturnState> | null>
  const address = pathname + search
  const isReturn = useNavigationType() === NavigationType.Pop || state?.isReturn === true
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const note = () => notePosition(address, element.scrollTop)
    if (!isReturn) note()
    const leave = returnTo(element, positions.get(address) ?? 0)
    element.addEventListener('scroll', note, { passive: true })
    return () => {
      leave()
      element.removeEventListener('scroll', note)
    }
  }, [key, address, isReturn, scroller])
}

function notePosition(address: string, top: number) {
  positions.delete(address)
  positions.set(address, top)
  const [oldest] = positions.keys()
  if (positions.size > MOST_SCREENS) positions.delete(oldest!)
}

/** @returns a function that gives up */
function returnTo(element: HTMLElement, top: number): () => void {
  const latest = performance.now() + WAITS_FOR_MS
  let frame = 0
  const leave = () => {
    cancelAnimationFrame(frame)
    for (const touch of TOUCHES) element.removeEventListener(touch, leave)
  }
  function attempt() {
    element.scrollTop = top
    if (Math.abs(element.scrollTop - top) < 1 || performance.now() > latest) return leave()
    frame = requestAnimationFrame(attempt)
  }
  for (const touch of TOUCHES) element.addEventListener(touch, leave, { passive: true })
  attempt()
  return leave
}
