import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { PRODUCT_NAME } from '#lib/product.ts'
import { announce } from '#ui/toast-store.ts'

/** A screen whose code is still on its way has no heading yet. */
const PATIENCE_MS = 5000

/**
 * What a page load does by itself, for a change of screen: the window's title is the screen's, and whoever cannot see
 * the change hears of it. Focus goes to the heading where the pressed link went with its screen; where it still stands
 * (the navigation), focus stays and the title is announced.
 */
export function useScreenTitle() {
  const { pathname, search } = useLocation()
  const announced = useRef<string>(pathname)
  useEffect(() => {
    const isArrival = announced.current !== pathname
    announced.current = pathname
    return whenThereIsAHeading((heading) => {
      const title = heading.dataset.title ?? heading.textContent.trim()
      document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME
      const isFocusLost = !document.activeElement || document.activeElement === document.body
      if (isArrival && isFocusLost) focusOn(heading)
      else if (isArrival) announce(title)
    })
  }, [pathname, search])
}

function focusOn(heading: HTMLElement) {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** The last one in sight: beside an open thread the list keeps its own. */
function visibleHeading(): HTMLElement | undefined {
  return [...document.querySelectorAll('h1')].filter((each) => each.getClientRects().length).at(-1)
}

function whenThereIsAHeading(then: (heading: HTMLElement) => void): () => void {
  const found = visibleHeading()
  if (found) {
    then(found)
    return () => undefined
  }
  const observer = new MutationObserver(() => {
    const heading = visibleHeading()
    if (!heading) return
    stop()
    then(heading)
  })
  const timer = setTimeout(() => observer.disconnect(), PATIENCE_MS)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
  }
  observer.observe(document.body, { childList: true, subtree: true })
  return stop
}
