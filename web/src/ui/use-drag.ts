import { useEffect, useRef, useState, type RefObject } from 'react'

/** The row being dragged, and where it would land now. */
export type Drag = { from: number; to: number }

/** Closer to an edge of what scrolls, a held row scrolls it, the faster the closer. */
const EDGE_PX = 72
const MOST_PX_PER_FRAME = 14

/**
 * Tracks the pointer from pressing a handle to its release. Listens on the window, because rows move under
 * the pointer and a row that moves in the DOM loses pointer capture.
 */
export function useDrag(list: RefObject<HTMLElement | null>, onDrop: (drag: Drag) => void) {
  const [drag, setDrag] = useState<Drag>()
  const pointerY = useRef<number>(undefined)
  useEffect(() => {
    if (!drag) return
    const place = (y: number) =>
      setDrag({ from: drag.from, to: rowUnder(list.current, y, drag.to) })
    const follow = ({ clientY }: PointerEvent) => {
      pointerY.current = clientY
      place(clientY)
    }
    const drop = () => {
      setDrag(undefined)
      if (drag.from !== drag.to) onDrop(drag)
    }
    const cancel = () => setDrag(undefined)
    let frame = requestAnimationFrame(function scroll() {
      const y = pointerY.current
      if (y !== undefined && scrollAtEdge(list.current, y)) place(y)
      frame = requestAnimationFrame(scroll)
    })
    window.addEventListener('pointermove', follow)
    window.addEventListener('pointerup', drop)
    window.addEventListener('pointercancel', cancel)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', follow)
      window.removeEventListener('pointerup', drop)
      window.removeEventListener('pointercancel', cancel)
    }
  }, [drag, list, onDrop])
  function start(row: number) {
    pointerY.current = undefined
    setDrag({ from: row, to: row })
  }
  return { drag, start }
}

/** @returns whether it scrolled */
function scrollAtEdge(list: HTMLElement | null, y: number): boolean {
  const scroller = scrollerOf(list)
  if (!scroller) return false
  const { top, bottom } = scroller.getBoundingClientRect()
  const ends = list?.getBoundingClientRect()
  // Not past the list, which would leave the pointer.
  if (!ends || y < ends.top || y > ends.bottom) return false
  const before = scroller.scrollTop
  scroller.scrollTop += edgeStep(y, Math.max(top, 0), Math.min(bottom, window.innerHeight))
  return scroller.scrollTop !== before
}

/** How many pixels to scroll in this frame with the pointer at `y`; negative is upwards. */
export function edgeStep(y: number, top: number, bottom: number): number {
  const above = top + EDGE_PX - y
  const below = y - (bottom - EDGE_PX)
  const inside = Math.max(above, below)
  if (inside <= 0) return 0
  const step = Math.ceil((Math.min(inside, EDGE_PX) / EDGE_PX) * MOST_PX_PER_FRAME)
  return above > below ? -step : step
}

function scrollerOf(element: HTMLElement | null): Element | null {
  for (let each = element?.parentElement; each; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each
  }
  return document.scrollingElement
}

/** A row moves once the pointer is past its middle. */
function rowUnder(list: HTMLElement | null, y: number, own: number): number {
  const rows = [...(list?.children ?? [])]
  return rows.filter((row, index) => {
    const { top, height } = row.getBoundingClientRect()
    return index !== own && y > top + height / 2
  }).length
}

/** The list with one item moved, clamped to its ends. */
export function moved<Item>(items: Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from)
  const place = Math.min(Math.max(to, 0), rest.length)
  return [...rest.slice(0, place), items[from]!, ...rest.slice(place)]
}
