// Many press twice. Where the first press has closed a sheet or opened a page, the second would land on what is there now.

/** A press that begins sooner after another was meant for the same thing: what Windows takes for a double-click unless told otherwise. */
const AGAIN_MS = 500
/** From where the last press began: a finger lands less exactly than a mouse. Half of the smallest control for fingers. */
const SAME_PLACE_PX = { mouse: 4, touch: 22 }

const CONTROL = 'a, button, input, label, select, summary, textarea, [role], [tabindex]'

type Press = {
  x: number
  y: number
  place: number
  control: Element
  /** A link that stays may lead elsewhere by now, as the arrow back does. */
  href: string | null
  releasedAt: number | null
}

/**
 * Stops what comes quickly after a press, at the same place, when the control of that press is no longer there, and an Enter key
 * held down on a control from pressing more than once. To be called before anything else listens.
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
    if (!event.isPrimary) return
    isMisplaced = event.button === 0 && last !== undefined && isNear(event, last) && !isThere(last)
    isSoon = Boolean(last?.releasedAt && event.timeStamp - last.releasedAt < AGAIN_MS)
    if (isMisplaced && isSoon) return event.stopImmediatePropagation()
    const target = event.target as Element
    const control = target.closest(CONTROL) ?? target
    last = {
      x: event.clientX,
      y: event.clientY,
      place: event.pointerType === 'mouse' ? SAME_PLACE_PX.mouse : SAME_PLACE_PX.touch,
      control,
      href: control.getAttribute('href'),
      releasedAt: null,
    }
  }

  function end(event: PointerEvent) {
    if (!event.isPrimary || !last) return
    if (isMisplaced && isSoon) return event.stopImmediatePropagation()
    // What moved was a swipe or a drag, and the right button opens a menu: another may follow at once.
    const isPress = isNear(event, last) && event.button === 0
    last = isPress ? { ...last, releasedAt: event.timeStamp } : undefined
  }

  function stop(event: MouseEvent) {
    // A mouse counts the clicks of a pair itself; a key and a screen reader count none.
    const isMouse = last?.place === SAME_PLACE_PX.mouse
    const isSecond = isMouse
      ? event.detail === 2 || (isSoon && event.detail > 2)
      : isSoon && event.detail > 0
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

function isThere({ x, y, control, href }: Press): boolean {
  const now = document.elementFromPoint(x, y)
  return now !== null && control.contains(now) && control.getAttribute('href') === href
}

function stopHeldEnter(event: KeyboardEvent) {
  if (!event.repeat || event.key !== 'Enter' || event.target instanceof HTMLTextAreaElement) return
  event.stopImmediatePropagation()
  event.preventDefault()
}
