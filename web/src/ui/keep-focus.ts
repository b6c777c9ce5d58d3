import { focusOn, heirOf, stopsIn, type Place } from './focus-place.ts'

const DIALOGS = '[role=dialog], [role=alertdialog]'

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
    if (place && screen === location.pathname) mend(last, place)
  })

  /** After those who know better had their turn. */
  function mend(lost: HTMLElement, place: Place) {
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (last === lost && isLost()) focusOn(heirOf(place))
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
