import { GripVertical } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { IconButton } from './icon-button.tsx'
import { announce } from './toast-store.ts'
import { moved, useDrag } from './use-drag.ts'

type Item = { id: string; title: string }

type Props<Sorted extends Item> = {
  items: Sorted[]
  canSort: boolean
  onReorder: (items: Sorted[]) => void
  row: (item: Sorted, handle: ReactNode) => ReactNode
}

/** A list reordered by dragging a handle, or with the arrow keys while the handle has focus. */
export function SortableList<Sorted extends Item>({
  items,
  canSort,
  onReorder,
  row,
}: Props<Sorted>) {
  const list = useRef<HTMLUListElement>(null)
  const { drag, start } = useDrag(list, ({ from, to }) => onReorder(moved(items, from, to)))
  const keepFocus = useKeptFocus(list, items)
  const shown = drag ? moved(items, drag.from, drag.to) : items

  function moveWithKeys(event: KeyboardEvent, from: number) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const item = items[from]
    if (!step || !item) return
    event.preventDefault()
    const to = from + step
    if (to < 0 || to >= items.length) return
    keepFocus(item.id)
    onReorder(moved(items, from, to))
    announce(m.ui_moved({ title: item.title, place: to + 1, total: items.length }))
  }

  return (
    <ul ref={list} className={`grid grid-cols-1 gap-2.5 ${drag ? 'select-none' : ''}`}>
      {shown.map((item, index) => (
        <li
          key={item.id}
          className={drag?.to === index ? 'relative z-10 rounded-card shadow-float' : undefined}
        >
          {row(
            item,
            canSort && items.length > 1 ? (
              <IconButton
                data-handle={item.id}
                label={m.ui_move({ title: item.title })}
                title={m.ui_move_hint()}
                icon={<GripVertical />}
                variant="quiet"
                onKeyDown={(event) => moveWithKeys(event, index)}
                onPointerDown={() => start(index)}
                // Otherwise a finger on the handle would scroll the page.
                className="cursor-grab touch-none active:cursor-grabbing"
              />
            ) : (
              // Where there is room, all rows are aligned.
              canSort && <span className="hidden size-11 flex-none lg:block" />
            ),
          )}
        </li>
      ))}
    </ul>
  )
}

/** A row that moves in the DOM loses focus; the next arrow key must find it. */
function useKeptFocus(list: { current: HTMLElement | null }, items: Item[]) {
  const kept = useRef<string>(undefined)
  useEffect(() => {
    if (!kept.current || document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${kept.current}"]`)?.focus()
  }, [items, list])
  return (id: string) => {
    kept.current = id
  }
}
