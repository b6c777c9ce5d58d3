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
  isPrimary?: boolean
  button?: number
  /** What is now where the press before began. */
  under?: string
}

function press(id: string, how: How = {}) {
  const { x = 100, to = x, after = 100, detail = 1, under = id } = how
  const { pointerType = 'touch', isPrimary = true, button = 0 } = how
  now += after
  const send = (event: Event) => {
    Object.defineProperty(event, 'timeStamp', { value: now })
    byId(id).dispatchEvent(event)
  }
  document.elementFromPoint = () => byId(under).firstElementChild
  const common = { bubbles: true, cancelable: true, clientY: 100, isPrimary, button, pointerType }
  send(new PointerEvent('pointerdown', { ...common, clientX: x }))
  send(new PointerEvent('pointerup', { ...common, clientX: to }))
  if (to === x)
    send(new MouseEvent(button === 0 ? 'click' : 'auxclick', { ...common, clientX: x, detail }))
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
  ['later', { after: 501 }],
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

test.each<[string, How]>([
  ['fingers', {}],
  ['a mouse', { detail: 2, pointerType: 'mouse' }],
])(
  'of many presses by %s in a row, those that come quickly after the first are stopped, not all',
  (_, how) => {
    press('sheet', { ...how, detail: 1 })
    press('below', { ...how, after: 250 })
    press('below', { ...how, after: 260, detail: how.detail ? 3 : 1 })
    expect(clicks()).toEqual(['click sheet', 'click below'])
  },
)

test('a link that leads elsewhere by now is another one', () => {
  document.body.innerHTML = '<a id="sheet" href="#list"><span></span></a>'
  byId('sheet').addEventListener('click', () => byId('sheet').setAttribute('href', '#home'))
  press('sheet')
  press('sheet')
  expect(clicks()).toEqual(['click sheet'])
})

test('an entry of the menu that the right button opened can be pressed at once', () => {
  press('sheet', { button: 2, pointerType: 'mouse' })
  press('below', { pointerType: 'mouse', detail: 2 })
  expect(events).toContain('pointerdown below')
  expect(clicks()).toEqual(['click below'])
})

test('a second finger changes nothing', () => {
  press('sheet')
  press('beside', { isPrimary: false, x: 300, after: 10 })
  press('below')
  expect(clicks()).toEqual(['click sheet', 'click beside'])
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
