import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { PRODUCT_NAME } from '#domain/product.ts'
import { announce } from '#ui/toast-store.ts'

/** Kept when the app remounts for another language. */
let shown: HTMLElement | undefined

/**
 * Does for a screen change what browsers do for a page load: sets the window title and announces the screen.
 * Focus moves to the heading if the pressed link is gone with its screen; if it is still there (the
 * navigation), focus stays and the title is announced. A step that replaces another without its own address
 * (a mail was sent) counts as a screen change.
 */
export function useScreenTitle() {
  const { pathname, search } = useLocation()
  const announced = useRef(pathname)
  useEffect(() => {
    let isArrival = announced.current !== pathname
    announced.current = pathname
    let headings = ''

    function look() {
      const now = [...document.querySelectorAll('h1')].map((each) => each.textContent).join('\n')
      const isReplaced = shown !== undefined && !shown.isConnected
      if (now === headings && !isReplaced && !isArrival) return
      headings = now
      // The code or data of a screen may still be loading.
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

/** The last visible one: next to an open thread, the list has its own heading. */
function visibleHeading(): HTMLElement | undefined {
  return [...document.querySelectorAll('h1')].filter((each) => each.getClientRects().length).at(-1)
}

/** No focus, or on something that the change has hidden. */
function isFocusLost(): boolean {
  const { activeElement: active, body } = document
  return !active || active === body || active.getClientRects().length === 0
}

function focusOn(heading: HTMLElement) {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
