import { useEffect, useState, type RefObject } from 'react'

/** How far the finger has to move, and how far the list follows. */
const ENOUGH_PX = 64
const FURTHEST_PX = 96
/** The list follows more slowly than the finger, like a rubber band. */
const PULL_SHARE = 0.5

export type Pull =
  { state: 'resting' } | { state: 'pulling'; distance: number } | { state: 'refreshing' }

/** Refreshes on a pull at the top of the scroller that contains `inside`. Touch only; a mouse scrolls. */
export function usePullToRefresh(
  inside: RefObject<HTMLElement | null>,
  refresh: () => Promise<unknown>,
): Pull {
  const [pull, setPull] = useState<Pull>({ state: 'resting' })
  useEffect(() => {
    const list = inside.current && scrollerOf(inside.current)
    return list ? listen(list, setPull, refresh) : undefined
  }, [inside, refresh])
  return pull
}

function listen(list: HTMLElement, show: (pull: Pull) => void, refresh: () => Promise<unknown>) {
  let start: Touch | undefined
  let distance = 0
  let isRefreshing = false

  function begin(event: TouchEvent) {
    const isAtTop = list.scrollTop <= 0
    start = isAtTop && !isRefreshing && event.touches.length === 1 ? event.touches[0] : undefined
    distance = 0
  }

  function move(event: TouchEvent) {
    const touch = event.touches[0]
    if (!start || !touch) return
    const down = touch.clientY - start.clientY
    const across = Math.abs(touch.clientX - start.clientX)
    if (distance === 0 && (down < across || down <= 0 || list.scrollTop > 0)) {
      // The first movement decides: this is a scroll or a swipe, not a pull.
      if (down !== 0 || across !== 0) start = undefined
      return
    }
    // The browser's own overscroll would move the page as well.
    if (event.cancelable) event.preventDefault()
    distance = Math.min(Math.max(down * PULL_SHARE, 0), FURTHEST_PX)
    show({ state: 'pulling', distance })
  }

  async function end() {
    if (!start) return
    start = undefined
    if (distance < ENOUGH_PX) return show({ state: 'resting' })
    isRefreshing = true
    show({ state: 'refreshing' })
    // Failed queries show their own error.
    await refresh().catch(() => undefined)
    isRefreshing = false
    show({ state: 'resting' })
  }

  const finish = () => void end()
  list.addEventListener('touchstart', begin, { passive: true })
  list.addEventListener('touchmove', move, { passive: false })
  list.addEventListener('touchend', finish)
  list.addEventListener('touchcancel', finish)
  return () => {
    list.removeEventListener('touchstart', begin)
    list.removeEventListener('touchmove', move)
    list.removeEventListener('touchend', finish)
    list.removeEventListener('touchcancel', finish)
  }
}

/** The nearest vertical scroll container. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let each = element.parentElement; each; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each
  }
  return null
}
