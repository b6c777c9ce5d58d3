/** Where something stood that is gone now. */
type Place = { parent: Node; index: number; removed: Node; rank: number }

const STOPS = 'a[href], button, select, input, textarea, summary, [tabindex="0"]'
/** On a phone these would open the keyboard, which nobody asked for. */
const TYPED_IN = 'textarea, input:not([type=checkbox], [type=radio], [type=file])'
const DIALOGS = '[role=dialog], [role=alertdialog]'
const GROUPS = 'li, article, section, form, [role=tabpanel], [role=dialog], main'

/**
 * Keeps the focus in its place when what had it goes: a deleted row, a button that gives way to a text, a card that a
 * new message moves. Otherwise whoever uses a keyboard or a screen reader starts at the top of the page again. What a
 * change of screen or a closing dialog does with the focus comes first.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined
  let screen = ''

  function remember({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || target.matches(DIALOGS)) return
    last = target
    screen = location.pathname
  }
  // A press beside everything takes the focus away on purpose.
  const forget = () => (last = undefined)

  const observer = new MutationObserver((records) => {
    if (!last || !isLost()) return
    if (last.isConnected) return last.focus({ preventScroll: true })
    const place = placeOf(last, records)
    if (place && screen === location.pathname && !holdsTitle(place.removed)) mend(last, place)
  })

  /** After those who know better had their turn. */
  function mend(lost: HTMLElement, place: Place) {
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (last === lost && isLost()) focusOn(neighbour(place) ?? groupOf(place.parent))
      }),
    )
  }

  document.addEventListener('focusin', remember)
  document.addEventListener('pointerdown', forget)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', remember)
    document.removeEventListener('pointerdown', forget)
    observer.disconnect()
  }
}

/** The kit gives a dialog itself the focus when it has lost what had it. */
function isLost(): boolean {
  const { activeElement: active } = document
  return !active || active === document.body || active.matches(DIALOGS)
}

function holdsTitle(removed: Node): boolean {
  return removed instanceof Element && removed.querySelector('h1') !== null
}

function placeOf(lost: HTMLElement, records: MutationRecord[]): Place | undefined {
  let place: Place | undefined
  for (const { target, removedNodes, previousSibling } of records) {
    for (const removed of removedNodes) {
      if (!removed.contains(lost) && !(place && removed.contains(place.parent))) continue
      const rank = place?.rank ?? stopsIn(removed).indexOf(lost)
      place = { parent: target, removed, rank, index: indexAfter(previousSibling) }
    }
  }
  return place
}

function indexAfter(sibling: Node | null): number {
  let index = 0
  for (let each = sibling; each; each = each.previousSibling) if (each instanceof Element) index++
  return index
}

/** The same control of the row that took the place, or of the one before; without rows the nearest control around. */
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

function stopsIn(node: Node): HTMLElement[] {
  if (!(node instanceof HTMLElement)) return []
  const inside = [...node.querySelectorAll<HTMLElement>(STOPS)]
  return (node.matches(STOPS) ? [node, ...inside] : inside).filter(
    (each) => each.tabIndex >= 0 && !each.matches(':disabled'),
  )
}

function groupOf(node: Node): HTMLElement | null | undefined {
  const element = node instanceof Element ? node : node.parentElement
  return element?.isConnected ? element.closest<HTMLElement>(GROUPS) : undefined
}

function focusOn(element: HTMLElement | null | undefined) {
  const target = element ?? document.getElementById('main')
  if (!target) return
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus({ preventScroll: false })
}
