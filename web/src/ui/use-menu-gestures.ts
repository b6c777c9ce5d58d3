import { useEffect, useRef, type MouseEvent, type PointerEvent, type TouchEvent } from 'react'

/** Before a phone's own long press (500 ms), which would select text or preview a link. */
const LONG_PRESS_MS = 450
/** A finger that moves further than this scrolls. */
const STILL_WITHIN_PX = 10

/**
 * For what opens a menu by a right click or a long press. Safari on a phone sends no `contextmenu`, so the press is
 * timed here; what the browser would do with it (marking text, showing a link's preview) is switched off for fingers.
 */
export const LONG_PRESSABLE =
  '[-webkit-touch-callout:none] [@media(hover:none)]:select-none [@media(hover:none)]:[-webkit-user-select:none]'

/** Answers the handlers for that element. `opens` may leave a press to the browser by answering false. */
export function useMenuGestures(opens: (pressed: Element) => boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const start = useRef({ x: 0, y: 0 })
  const hasOpened = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  function cancel() {
    clearTimeout(timer.current)
  }

  return {
    onPointerDown({ isPrimary, pointerType, clientX, clientY, target }: PointerEvent) {
      cancel()
      hasOpened.current = false
      if (!isPrimary || pointerType === 'mouse' || !(target instanceof Element)) return
      start.current = { x: clientX, y: clientY }
      timer.current = setTimeout(() => (hasOpened.current = opens(target)), LONG_PRESS_MS)
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { x, y } = start.current
      if (Math.hypot(clientX - x, clientY - y) > STILL_WITHIN_PX) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    /** Lifting the finger would otherwise move the focus here, which closes the menu. */
    onTouchEnd(event: TouchEvent) {
      if (hasOpened.current) event.preventDefault()
    },
    /** Nor does it press what lies under it. */
    onClickCapture(event: MouseEvent) {
      if (!hasOpened.current) return
      hasOpened.current = false
      event.preventDefault()
      event.stopPropagation()
    },
    onContextMenu(event: MouseEvent) {
      cancel()
      if (hasOpened.current || (event.target instanceof Element && opens(event.target)))
        event.preventDefault()
    },
  }
}
