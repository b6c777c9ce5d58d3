import { useEffect, useState, type RefObject } from 'react'

/** The row being dragged, and where it would land now. */
export type Drag = { from: number; to: number }

/**
 * Tracks the pointer from pressing a handle to its release. Listens on the window, because rows move under
 * the pointer and a row that moves in the DOM loses pointer capture.
 */
export function useDrag(list: RefObject<HTMLElement | null>, onDrop: (drag: Drag) => void) {
  const [drag, setDrag] = useState<Drag>()
  useEffect(() => {
    if (!drag) return
    const follow = (event: PointerEvent) =>
      setDrag({ from: drag.from, to: rowUnder(list.current, event.clientY, drag.to) })
    const drop = () => {
      setDrag(undefined)
      if (drag.from !== drag.to) onDrop(drag)
    }
    const cancel = () => setDrag(undefined)
    window.addEventListener('pointermove', follow)
    window.addEventListener('pointerup', drop)
    window.addEventListener('pointercancel', cancel)
    return () => {
      window.removeEventListener('pointermove', follow)
      window.removeEventListener('pointerup', drop)
      window.removeEventListener('pointercancel', cancel)
    }
  }, [drag, list, onDrop])
  return { drag, start: (row: number) => setDrag({ from: row, to: row }) }
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
