import { useEffect, useRef, useState, type RefObject } from 'react'

/** Closer to the end than this, a new message is scrolled into view. */
const FOLLOW_WITHIN_PX = 80

/**
 * Keeps the end of the thread in view while the member is there: images, a growing composer, the keyboard and
 * rows that turn out to be higher than estimated all change what the end is.
 */
export function useEnd(scroller: RefObject<HTMLElement | null>) {
  const isFollowed = useRef(true)
  const lastTop = useRef(0)
  const [isFar, setIsFar] = useState(false)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (isFollowed.current) element.scrollTop = element.scrollHeight
      // A larger window brings the end nearer, with no scroll event once the rows have their new heights.
      setIsFar(isFarFromEnd(element))
    })
    observer.observe(element)
    for (const part of element.children) observer.observe(part)
    return () => observer.disconnect()
  }, [scroller])

  /** Only scrolling up leaves the end: what grows below, or a smaller screen, also moves away from it. */
  function onScrolled(isWholeThread: boolean) {
    const element = scroller.current
    if (!element) return
    const { scrollTop } = element
    const isUp = scrollTop < lastTop.current
    lastTop.current = scrollTop
    if (!isWholeThread) isFollowed.current = false
    else if (pxToEnd(element) < FOLLOW_WITHIN_PX) isFollowed.current = true
    else if (isUp) isFollowed.current = false
  }

  return {
    onScrolled,
    /** More than a screen of messages is below. */
    isFar,
    /** After every scroll, whoever caused it. */
    measure: () => scroller.current && setIsFar(isFarFromEnd(scroller.current)),
    isFollowed: () => isFollowed.current,
    follow: (follows: boolean) => void (isFollowed.current = follows),
  }
}

function pxToEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number {
  return scrollHeight - clientHeight - scrollTop
}

function isFarFromEnd(element: HTMLElement): boolean {
  return pxToEnd(element) > element.clientHeight
}
