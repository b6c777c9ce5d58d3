/** Where something stands that may go, or is gone: `removed` is the part of the page that goes with it. */
export type Place = { parent: Node; index: number; removed: Node; rank: number }

const STOPS = 'a[href], button, select, input, textarea, summary, [tabindex="0"]'
/** On a phone these would open the keyboard, which nobody asked for. */
const TYPED_IN = 'textarea, input:not([type=checkbox], [type=radio], [type=file])'
const GROUPS = 'li, article, section, form, [role=tabpanel], [role=dialog], main'

/** The places of an element and of all it stands in, the nearest first. */
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
 * Who has the focus after what stood there: the same control of the row that took the place, or of the one before;
 * without rows the nearest control around, then the group it was in. Nobody where the screen went with its heading: the
 * next one's has it.
 */
export function heirOf(place: Place): HTMLElement | null | undefined {
  const { parent, removed } = place
  if (removed instanceof Element && removed.querySelector('h1')) return undefined
  return neighbour(place) ?? groupOf(parent) ?? document.getElementById('main')
}

/** Focuses it, a control or not. */
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

function neighbour({ parent, index, rank }: Place): HTMLElement | undefined {
  // What is closed on top of the page has no neighbours.
  if (!(parent instanceof Element) || parent === document.body) return undefined
  const rows = [...parent.children]
  const near = [...rows.slice(index), ...rows.slice(0, index).reverse()]
  for (const row of near) {
    const stops = stopsIn(row).filter((each) => !each.matches(TYPED_IN))
    const stop = stops[Math.max(0, Math.min(rank, stops.length - 1))]
    if (stop) return stop
  }
  const box = parent.parentElement
  if (!box || parent.matches(GROUPS)) return undefined
  return neighbour({ parent: box, removed: parent, index: [...box.children].indexOf(parent), rank })
}

function groupOf(node: Node): HTMLElement | null | undefined {
  const element = node instanceof Element ? node : node.parentElement
  return element?.isConnected ? element.closest<HTMLElement>(GROUPS) : undefined
}
