// Many press twice. Where the first press has closed a sheet or opened a page, the second would land on what is there now.

/** A press that begins sooner after another was meant for the same thing. Android waits 300 ms for the second tap of two. */
const AGAIN_MS = 400
/** From where the last press began: a finger lands less exactly than a mouse. Half of the smallest control for fingers. */
const SAME_PLACE_PX = { mouse: 4, touch: 22 }

const CONTROL = 'a, button, input, label, select, summary, textarea, [role], [tabindex]'

type Press = { x: number; y: number; place: number; control: Element; releasedAt: number | null }

/**
 * Stops the second of two quick presses at one place when the control of the first is no longer there, and an Enter key held
 * down on a control from pressing more than once. To be called before anything else listens.
 *
 * @returns ends it
 */
export function guardPresses(): () => void {
  const ended = new AbortController()
  const options = { capture: true, signal: ended.signal }
  let last: Press | undefined
  let isMisplaced = false
  let isSoon = false

  function begin(event: PointerEvent) {
    isMisplaced = Boolean(last && isNear(event, last) && !isThere(last))
    isSoon = Boolean(last?.releasedAt && event.timeStamp - last.releasedAt < AGAIN_MS)
    if (last && isMisplaced && isSoon) {
      last = { ...last, releasedAt: null }
      event.stopImmediatePropagation()
      return
    }
    const target = event.target as Element
    last = {
      x: event.clientX,
      y: event.clientY,
      place: event.pointerType === 'mouse' ? SAME_PLACE_PX.mouse : SAME_PLACE_PX.touch,
      control: target.closest(CONTROL) ?? target,
      releasedAt: null,
    }
  }

  // What moved was a swipe or a drag, which may be followed by another at once.
  function end(event: PointerEvent) {
    if (last) last = isNear(event, last) ? { ...last, releasedAt: event.timeStamp } : undefined
  }

  function stop(event: MouseEvent) {
    // A mouse counts the clicks of a pair itself; a key and a screen reader count none.
    const isSecond =
      last?.place === SAME_PLACE_PX.mouse ? event.detail > 1 : isSoon && event.detail > 0
    if (!isMisplaced || !isSecond) return
    event.stopImmediatePropagation()
    event.preventDefault()
  }

  addEventListener('pointerdown', begin, options)
  addEventListener('pointerup', end, options)
  addEventListener('pointercancel', () => (last = undefined), options)
  addEventListener('mousedown', stop, options)
  addEventListener('click', stop, options)
  addEventListener('keydown', stopHeldEnter, options)
  return () => ended.abort()
}

const isNear = (event: PointerEvent, { x, y, place }: Press) =>
  Math.hypot(event.clientX - x, event.clientY - y) <= place

function isThere({ x, y, control }: Press): boolean {
  const now = document.elementFromPoint(x, y)
  return now !== null && control.contains(now)
}

function stopHeldEnter(event: KeyboardEvent) {
  if (!event.repeat || event.key !== 'Enter' || event.target instanceof HTMLTextAreaElement) return
  event.stopImmediatePropagation()
  event.preventDefault()
}
