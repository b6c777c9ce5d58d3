import { useEffect, useRef, type MouseEvent, type PointerEvent, type TouchEvent } from 'react'
import { preloadMenus } from './menu.tsx'

/** Before the native long press (500 ms), which would select text or preview a link. */
const LONG_PRESS_MS = 450
/** A finger that moves further than this is scrolling. */
const STILL_WITHIN_PX = 10

/**
 * Opens a menu on right click or long press. iOS Safari sends no `contextmenu`, so the press is timed here,
 * and the native reaction (text selection, link preview) is turned off for touch.
 */
export const LONG_PRESSABLE =
  '[-webkit-touch-callout:none] [@media(hover:none)]:select-none [@media(hover:none)]:[-webkit-user-select:none]'

/** @param y where, in pixels from the top of the window @returns false to leave the press to the browser */
type Opens = (pressed: Element, y: number) => boolean

/** Returns the element's handlers. */
export function useMenuGestures(opens: Opens) {
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
      preloadMenus()
      hasOpened.current = false
      if (!isPrimary || pointerType === 'mouse' || !(target instanceof Element)) return
      start.current = { x: clientX, y: clientY }
      timer.current = setTimeout(() => (hasOpened.current = opens(target, clientY)), LONG_PRESS_MS)
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { x, y } = start.current
      if (Math.hypot(clientX - x, clientY - y) > STILL_WITHIN_PX) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    /** Lifting the finger would otherwise move focus here and close the menu. */
    onTouchEnd(event: TouchEvent) {
      if (hasOpened.current) event.preventDefault()
    },
    /** Nor does it click what is under it. */
    onClickCapture(event: MouseEvent) {
      if (!hasOpened.current) return
      hasOpened.current = false
      event.preventDefault()
      event.stopPropagation()
    },
    onContextMenu(event: MouseEvent) {
      cancel()
      const { target, clientY } = event
      if (hasOpened.current || (target instanceof Element && opens(target, clientY)))
        event.preventDefault()
    },
  }
}
