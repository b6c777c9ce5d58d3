import { useRef, useState, type MouseEvent, type PointerEvent } from 'react'

/** A finger that moves less is pressing. */
const BEGINS_AT_PX = 12
/** Lifted from here on, the swipe counts. */
const ENOUGH_PX = 72
const FURTHEST_PX = 112
/** From the edge of the screen, a swipe is the phone's own way back. */
const EDGE_PX = 24

type Start = { x: number; y: number; isSwipe: boolean }

export type SwipeSides = { onLeft?: (() => void) | undefined; onRight?: (() => void) | undefined }

/** How far a finger has moved an element sideways; lifted far enough, it acts. Up and down scrolls as ever. */
export function useSwipe({ onLeft, onRight }: SwipeSides) {
  const start = useRef<Start>(undefined)
  const wasSwiped = useRef(false)
  const [shift, setShift] = useState(0)

  function shiftAt(x: number): number {
    const far = x - (start.current?.x ?? x)
    return Math.min(Math.max(far, onLeft ? -FURTHEST_PX : 0), onRight ? FURTHEST_PX : 0)
  }

  function reset() {
    start.current = undefined
    setShift(0)
  }

  const handlers = {
    onPointerDown({ isPrimary, pointerType, clientX: x, clientY: y }: PointerEvent) {
      wasSwiped.current = false
      const isInside = x > EDGE_PX && x < innerWidth - EDGE_PX
      start.current =
        isPrimary && pointerType !== 'mouse' && isInside ? { x, y, isSwipe: false } : undefined
    },
    onPointerMove({ clientX: x, clientY: y, currentTarget, pointerId }: PointerEvent) {
      const from = start.current
      if (!from) return
      const across = Math.abs(x - from.x)
      if (!from.isSwipe) {
        // The first movement decides.
        if (Math.abs(y - from.y) > Math.max(across, BEGINS_AT_PX)) return reset()
        if (across < BEGINS_AT_PX) return
        from.isSwipe = true
        wasSwiped.current = true
        currentTarget.setPointerCapture(pointerId)
      }
      setShift(shiftAt(x))
    },
    onPointerUp({ clientX }: PointerEvent) {
      const far = start.current?.isSwipe ? shiftAt(clientX) : 0
      reset()
      if (far <= -ENOUGH_PX) onLeft?.()
      if (far >= ENOUGH_PX) onRight?.()
    },
    onPointerCancel: reset,
    /** Lifting the finger does not press what is under it. */
    onClickCapture(event: MouseEvent) {
      if (!wasSwiped.current) return
      wasSwiped.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
  return { shift, isEnough: Math.abs(shift) >= ENOUGH_PX, handlers }
}
