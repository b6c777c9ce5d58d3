import { beforePop } from '#app/routing/before-pop.ts'

/** Dialogs, menus, and what else lies over the screen until it is closed. */
const OPEN_LAYER = '[role=dialog], [role=alertdialog], [role=menu], [data-layer]'

export const isLayerOpen = () => document.querySelector(OPEN_LAYER) !== null

/** Closes the topmost layer as the Escape key does, so that a form with changes asks first. */
export function closeTopLayer() {
  const target = document.activeElement ?? document.body
  target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
}

type Entry = { idx?: number; isBeneath?: true; hasBeneath?: true } | null

const entry = () => history.state as Entry
/** The router numbers its entries from 0; the one beneath the first is ours. */
const position = () => (entry()?.isBeneath ? -1 : (entry()?.idx ?? 0))

const GESTURES = ['click', 'keyup', 'pointerup'] as const

/**
 * Back (button, swipe, key) closes an open layer instead of leaving the screen. The step has happened by the time the app
 * learns of it, so it is taken back, and the router never learns of it.
 * @returns stops it
 */
export function startClosingLayersOnBack(): () => void {
  /** Where a step back starts: every layer is opened by a gesture. */
  let current = position()
  /** Where a step back that closed a layer is taken back to. */
  let returningTo: number | undefined

  function notice() {
    // The history stands a step too low, until the step back is taken back.
    if (returningTo !== undefined) return
    if (isLayerOpen()) putEntryBeneath()
    current = position()
  }
  const onGesture = () => requestAnimationFrame(notice)
  // A layer whose code is loaded first, or that a long press opens, comes after the gesture. All are the body's children.
  const lateLayers = new MutationObserver(() => isLayerOpen() && notice())

  function onPop(event: PopStateEvent) {
    const next = position()
    if (next === returningTo) {
      event.stopImmediatePropagation()
      returningTo = undefined
      notice()
    } else if (returningTo !== undefined || (next < current && isLayerOpen())) {
      // The second of two quick steps may come before the first one is taken back.
      event.stopImmediatePropagation()
      returningTo ??= current
      history.go(returningTo - next)
      closeTopLayer()
    } else {
      current = next
      // Nothing was open: the step was meant to leave the app.
      if (next < 0) history.back()
    }
  }

  beforePop.handle = onPop
  for (const gesture of GESTURES) document.addEventListener(gesture, onGesture)
  lateLayers.observe(document.body, { childList: true })
  return () => {
    beforePop.handle = undefined
    lateLayers.disconnect()
    for (const gesture of GESTURES) document.removeEventListener(gesture, onGesture)
  }
}

/** On the app's first entry a step back would leave the app. Put there by a gesture: browsers skip any other. */
function putEntryBeneath() {
  const first = entry()
  if (position() !== 0 || first?.hasBeneath) return
  history.replaceState({ ...first, isBeneath: true }, '')
  history.pushState({ ...first, hasBeneath: true }, '')
}
