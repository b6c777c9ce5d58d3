import { useEffect, useRef, type RefObject } from 'react'

/** Closer to the end than this, a new message is scrolled into view. */
const FOLLOW_WITHIN_PX = 80

/**
 * Keeps the end of the thread in view while the member is there: images, a growing composer, the keyboard and
 * rows that turn out to be higher than estimated all change what the end is.
 */
export function useEnd(scroller: RefObject<HTMLElement | null>) {
  const isFollowed = useRef(true)
  const lastTop = useRef(0)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (isFollowed.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    for (const part of element.children) observer.observe(part)
    return () => observer.disconnect()
  }, [scroller])

  /** Only scrolling up leaves the end: what grows below, or a smaller screen, also moves away from it. */
  function onScrolled(isWholeThread: boolean) {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    const isUp = scrollTop < lastTop.current
    lastTop.current = scrollTop
    if (!isWholeThread) isFollowed.current = false
    else if (scrollHeight - clientHeight - scrollTop < FOLLOW_WITHIN_PX) isFollowed.current = true
    else if (isUp) isFollowed.current = false
  }

  return {
    onScrolled,
    isFollowed: () => isFollowed.current,
    follow: (follows: boolean) => void (isFollowed.current = follows),
  }
}
