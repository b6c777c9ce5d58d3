/** The position of an element that may be removed; `removed` is the part of the page that goes with it. */
export type Place = { parent: Node; index: number; removed: Node; rank: number }

const STOPS = 'a[href], button, select, input, textarea, summary, [tabindex="0"]'
/** On a phone, focusing these would open the keyboard. */
const TYPED_IN = 'textarea, input:not([type=checkbox], [type=radio], [type=file])'
const GROUPS = 'li, article, section, form, [role=tabpanel], [role=dialog], main'

/** The positions of an element and its ancestors, nearest first. */
export function placesOf(element: Element): Place[] {
  const places: Place[] = []
  for (let removed = element; removed.parentElement; removed = removed.parentElement) {
    const parent = removed.parentElement
    const index = [...parent.children].indexOf(removed)
    places.push({
      parent,
      index,
      removed,
      rank: stopsIn(removed).findIndex((each) => each === element),
    })
  }
  return places
}

/**
 * What gets focus after a removed element: the same control in the row that took its place, or in the row
 * before; without rows the nearest control, then the enclosing group. Nothing when the whole screen changed:
 * the new screen's heading takes focus.
 */
export function focusTargetAfter(place: Place): HTMLElement | null | undefined {
  const { parent, removed } = place
  if (removed instanceof Element && removed.querySelector('h1')) return undefined
  return nearestStop(place) ?? groupOf(parent) ?? document.getElementById('main')
}

/** Focuses it, whether or not it is a control. */
export function focusOn(target: Element | null | undefined): void {
  if (!(target instanceof HTMLElement)) return
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus()
}

export function stopsIn(node: Node): HTMLElement[] {
  if (!(node instanceof HTMLElement)) return []
  const inside = [...node.querySelectorAll<HTMLElement>(STOPS)]
  return (node.matches(STOPS) ? [node, ...inside] : inside).filter(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled'),
  )
}

function nearestStop({ parent, index, rank }: Place): HTMLElement | undefined {
  // A closed overlay has no neighbors.
  if (!(parent instanceof Element) || parent === document.body) return undefined
  const rows = [...parent.children]
  const near = [...rows.slice(index), ...rows.slice(0, index).reverse()]
  for (const row of near) {
    const stops = stopsIn(row).filter((each) => !each.matches(TYPED_IN))
    const stop = stops[Math.max(0, Math.min(rank, stops.length - 1))]
    if (stop) return stop
  }
  const box = parent.parentElement
  // Nor has anything outside the screen, such as a toast: its nearest control would be the skip link.
  if (!box || parent.matches(GROUPS) || box.querySelector('#main')) return undefined
  return nearestStop({
    parent: box,
    removed: parent,
    index: [...box.children].indexOf(parent),
    rank,
  })
}

function groupOf(node: Node): HTMLElement | null | undefined {
  const element = node instanceof Element ? node : node.parentElement
  return element?.isConnected ? element.closest<HTMLElement>(GROUPS) : undefined
}
