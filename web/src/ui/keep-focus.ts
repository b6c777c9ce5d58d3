import { focusOn, focusTargetAfter, stopsIn, type Place } from './focus-place.ts'

const DIALOGS = '[role=dialog], [role=alertdialog]'

/**
 * Keeps focus in place when the focused element is removed: a deleted row, a button replaced by text, a card
 * moved by a new message. Otherwise keyboard and screen-reader users restart at the top of the page. Screen
 * changes and closing dialogs handle focus themselves and take precedence.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined
  let screen = ''

  function remember({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement) || target.matches(DIALOGS)) return
    last = target
    screen = location.pathname
  }
  // A press on the background drops focus on purpose.
  const forget = () => (last = undefined)

  const observer = new MutationObserver((records) => {
    if (!last || !isLost()) return
    if (last.isConnected) return last.focus({ preventScroll: true })
    const place = placeOf(last, records)
    if (place && screen === location.pathname) restore(last, place)
  })

  /** Runs after more specific focus handling. */
  function restore(lost: HTMLElement, place: Place) {
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (last === lost && isLost()) focusOn(focusTargetAfter(place))
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

/** Radix focuses the dialog itself when the focused element inside is removed. */
function isLost(): boolean {
  const { activeElement: active } = document
  return !active || active === document.body || active.matches(DIALOGS)
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
