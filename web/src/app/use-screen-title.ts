import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { PRODUCT_NAME } from '#lib/product.ts'
import { announce } from '#ui/toast-store.ts'

/** Kept when the app is drawn anew for another language. */
let shown: HTMLElement | undefined

/**
 * What a page load does by itself, for a change of screen: the window's title is the screen's, and whoever cannot see
 * the change hears of it. Focus goes to the heading where the pressed link went with its screen; where it still stands
 * (the navigation), focus stays and the title is announced. A step that takes the place of another without an address
 * of its own (a mail that was sent) is such a change too.
 */
export function useScreenTitle() {
  const { pathname, search } = useLocation()
  const told = useRef(pathname)
  useEffect(() => {
    let isArrival = told.current !== pathname
    told.current = pathname
    let headings = ''

    function look() {
      const now = [...document.querySelectorAll('h1')].map((each) => each.textContent).join('\n')
      const isReplaced = shown !== undefined && !shown.isConnected
      if (now === headings && !isReplaced && !isArrival) return
      headings = now
      // The code or the data of a screen may still be on its way.
      const heading = visibleHeading()
      if (!heading) return
      const title = titleOf(heading)
      document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME
      if (isFocusLost() && (isArrival || isReplaced)) focusOn(heading)
      else if (isArrival) announce(title)
      shown = heading
      isArrival = false
    }

    look()
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [pathname, search])
}

function titleOf(heading: HTMLElement): string {
  return heading.dataset.title ?? heading.textContent.trim()
}

/** The last one in sight: beside an open thread the list keeps its own. */
function visibleHeading(): HTMLElement | undefined {
  return [...document.querySelectorAll('h1')].filter((each) => each.getClientRects().length).at(-1)
}

/** On nothing, or on what the change has taken out of sight. */
function isFocusLost(): boolean {
  const { activeElement: active, body } = document
  return !active || active === body || active.getClientRects().length === 0
}

function focusOn(heading: HTMLElement) {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
