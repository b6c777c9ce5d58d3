import { afterEach, beforeEach, expect, test } from 'vitest'
import { guardPresses } from './press-guard.ts'

let unguard: () => void
let events: string[]
let now: number

beforeEach(() => {
  unguard = guardPresses()
  events = []
  now = 1000
  document.body.innerHTML = ['sheet', 'below', 'beside']
    .map((id) => `<button id="${id}"><span></span></button>`)
    .join('')
  document.addEventListener('pointerdown', note)
  document.addEventListener('click', note)
})
afterEach(() => {
  unguard()
  document.removeEventListener('pointerdown', note)
  document.removeEventListener('click', note)
  Reflect.deleteProperty(document, 'elementFromPoint')
  document.body.replaceChildren()
})

const note = (event: Event) => events.push(`${event.type} ${(event.target as Element).id}`)
const byId = (id: string) => document.getElementById(id)!

type How = {
  x?: number
  /** Where it is released. */
  to?: number
  /** Milliseconds after the last release. */
  after?: number
  detail?: number
  pointerType?: string
  /** What is now where the press before began. */
  under?: string
}

function press(id: string, how: How = {}) {
  const { x = 100, to = x, after = 100, detail = 1, pointerType = 'touch', under = id } = how
  now += after
  const send = (event: Event) => {
    Object.defineProperty(event, 'timeStamp', { value: now })
    byId(id).dispatchEvent(event)
  }
  document.elementFromPoint = () => byId(under).firstElementChild
  const common = { bubbles: true, cancelable: true, clientY: 100 }
  send(new PointerEvent('pointerdown', { ...common, clientX: x, pointerType }))
  send(new PointerEvent('pointerup', { ...common, clientX: to, pointerType }))
  if (to === x) send(new MouseEvent('click', { ...common, clientX: x, detail }))
}
const clicks = () => events.filter((each) => each.startsWith('click'))

test.each<[string, How]>([
  ['two taps', {}],
  ['two taps of one finger that are not exact', { x: 115 }],
  ['two clicks of a mouse', { detail: 2, pointerType: 'mouse' }],
])('%s on a button that closes what it is in press nothing else, however many follow', (_, how) => {
  press('sheet', { ...how, x: 100, detail: 1 })
  press('below', how)
  press('below', how)
  expect(events).toEqual(['pointerdown sheet', 'click sheet'])
})

test.each<[string, How]>([
  ['later', { after: 401 }],
  ['somewhere else', { x: 130 }],
  ['beside a control that is still there', { x: 115, under: 'sheet' }],
  ['that is a key', { detail: 0 }],
  ['of a mouse that was not the second of a pair', { pointerType: 'mouse' }],
])('a press %s counts', (_, how) => {
  press('sheet', { ...how, x: 100, under: 'sheet' })
  press('below', how)
  expect(clicks()).toEqual(['click sheet', 'click below'])
})

test('the second click of a mouse counts for none either, however slow the mouse is set', () => {
  press('sheet', { pointerType: 'mouse' })
  press('below', { pointerType: 'mouse', detail: 2, after: 700 })
  expect(clicks()).toEqual(['click sheet'])
})

test('the same control is pressed as often as wanted', () => {
  press('sheet')
  press('sheet')
  expect(clicks()).toEqual(['click sheet', 'click sheet'])
})

test('a press right after a swipe counts', () => {
  press('sheet', { to: 180 })
  press('below')
  expect(clicks()).toEqual(['click below'])
})

test('an Enter key held down presses a button once and still writes lines', () => {
  document.body.innerHTML = '<button id="save"></button><textarea id="text"></textarea>'
  const hold = (id: string, repeat: boolean) =>
    byId(id).dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true }),
    )
  expect([hold('save', false), hold('save', true), hold('text', true)]).toEqual([true, false, true])
})
