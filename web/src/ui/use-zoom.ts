import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type TouchEvent as FingerEvent,
} from 'react'

export const MAX_ZOOM = 6
const DOUBLE_CLICK_ZOOM = 2.5

type Point = { x: number; y: number }

const bounded = (zoom: number) => Math.min(MAX_ZOOM, Math.max(1, zoom))

/** Zoom of a scrolling frame: by pinch, Ctrl and wheel, double click, + and -, or `zoomBy`. */
export function useZoom() {
  const [zoom, setZoom] = useState(1)
  const frame = useRef<HTMLDivElement>(null)
  const current = useRef({ zoom, anchor: { x: 0, y: 0 } })
  const pinch = useRef<{ distance: number; zoom: number }>(null)

  /** Zooms around a point of the screen, or the middle. */
  function zoomTo(wanted: number, at?: Point) {
    const box = frame.current?.getBoundingClientRect()
    if (!box) return
    const anchor = at
      ? { x: at.x - box.left, y: at.y - box.top }
      : { x: box.width / 2, y: box.height / 2 }
    current.current.anchor = anchor
    setZoom(bounded(wanted))
  }

  // What was under the anchor stays there.
  useLayoutEffect(() => {
    const { zoom: before, anchor } = current.current
    current.current.zoom = zoom
    if (!frame.current || before === zoom) return
    const grown = zoom / before
    frame.current.scrollTo(
      (frame.current.scrollLeft + anchor.x) * grown - anchor.x,
      (frame.current.scrollTop + anchor.y) * grown - anchor.y,
    )
  }, [zoom])

  // Not React's handlers: theirs are passive and cannot stop the page from zooming instead.
  useEffect(() => {
    const element = frame.current
    function onWheel(event: WheelEvent) {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const wanted = current.current.zoom * Math.exp(-event.deltaY / 200)
      zoomTo(wanted, { x: event.clientX, y: event.clientY })
    }
    function onTouchMove(event: TouchEvent) {
      const touches = twoTouches(event)
      if (!touches || !pinch.current) return
      event.preventDefault()
      zoomTo((pinch.current.zoom * touches.distance) / pinch.current.distance, touches.middle)
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    element?.addEventListener('touchmove', onTouchMove, { passive: false })
    return () => {
      element?.removeEventListener('wheel', onWheel)
      element?.removeEventListener('touchmove', onTouchMove)
    }
  }, [])

  return {
    zoom,
    zoomBy: (factor: number) => zoomTo(zoom * factor),
    frame: {
      ref: frame,
      onDoubleClick: ({ clientX, clientY }: MouseEvent) =>
        zoomTo(zoom > 1 ? 1 : DOUBLE_CLICK_ZOOM, { x: clientX, y: clientY }),
      onTouchStart(event: FingerEvent) {
        const touches = twoTouches(event)
        pinch.current = touches && { distance: touches.distance, zoom }
      },
      // A finger scrolls natively; a mouse drags.
      onPointerMove({ pointerType, buttons, movementX, movementY }: PointerEvent) {
        if (pointerType === 'mouse' && buttons === 1)
          frame.current?.scrollBy(-movementX, -movementY)
      },
      onKeyDown({ key }: KeyboardEvent) {
        if (key === '+' || key === '=') zoomTo(zoom * 1.5)
        if (key === '-') zoomTo(zoom / 1.5)
      },
    },
  }
}

type Touches = { touches: ArrayLike<{ clientX: number; clientY: number }> }

function twoTouches({ touches }: Touches): { distance: number; middle: Point } | null {
  const [first, second] = Array.from(touches)
  if (!first || !second) return null
  return {
    distance: Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY),
    middle: {
      x: (first.clientX + second.clientX) / 2,
      y: (first.clientY + second.clientY) / 2,
    },
  }
}
