import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useMenuGestures } from './use-menu-gestures.ts'

const opens = vi.fn((pressed: Element) => !pressed.closest('a'))
const clicked = vi.fn()

function Message() {
  return (
    <div {...useMenuGestures(opens)}>
      <button onClick={clicked}>Ride along on Thursday</button>
      <a href="#plan">the plan</a>
    </div>
  )
}

const finger = { pointerType: 'touch', isPrimary: true, clientX: 100, clientY: 100 }

function press(element: HTMLElement, forMs: number) {
  fireEvent.pointerDown(element, finger)
  act(() => void vi.advanceTimersByTime(forMs))
}

function lift(element: HTMLElement): { movesFocus: boolean } {
  fireEvent.pointerUp(element, finger)
  const movesFocus = fireEvent.touchEnd(element)
  fireEvent.click(element)
  return { movesFocus }
}

beforeEach(() => {
  vi.useFakeTimers()
  opens.mockClear()
  clicked.mockClear()
  render(<Message />)
})
afterEach(() => void vi.useRealTimers())

test('a long press opens the menu, and lifting the finger does not click', () => {
  const text = screen.getByRole('button')
  press(text, 450)
  expect(opens).toHaveBeenCalledOnce()
  expect(lift(text)).toEqual({ movesFocus: false })
  expect(clicked).not.toHaveBeenCalled()
})

test('a tap clicks what is under it and opens no menu', () => {
  const text = screen.getByRole('button')
  press(text, 200)
  expect(lift(text)).toEqual({ movesFocus: true })
  act(() => void vi.advanceTimersByTime(1000))
  expect(opens).not.toHaveBeenCalled()
  expect(clicked).toHaveBeenCalledOnce()
})

test.each([
  ['scrolls', 'pointerMove', { ...finger, clientY: 120 }],
  ['is taken over by the browser', 'pointerCancel', finger],
] as const)('a finger that %s opens no menu', (_what, event, at) => {
  const text = screen.getByRole('button')
  press(text, 100)
  fireEvent[event](text, at)
  act(() => void vi.advanceTimersByTime(1000))
  expect(opens).not.toHaveBeenCalled()
})

test("Android's native long press after ours neither opens the menu again nor selects text", () => {
  const text = screen.getByRole('button')
  press(text, 450)
  expect(fireEvent.contextMenu(text)).toBe(false)
  expect(opens).toHaveBeenCalledOnce()
})

test('a right click opens the menu, holding the mouse button does not', () => {
  const text = screen.getByRole('button')
  fireEvent.pointerDown(text, { ...finger, pointerType: 'mouse' })
  act(() => void vi.advanceTimersByTime(1000))
  expect(opens).not.toHaveBeenCalled()
  expect(fireEvent.contextMenu(text)).toBe(false)
  expect(opens).toHaveBeenCalledOnce()
})

test('elements left to the browser keep their native menu', () => {
  expect(fireEvent.contextMenu(screen.getByRole('link'))).toBe(true)
})
