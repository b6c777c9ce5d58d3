import { act, fireEvent, render, screen } from '@testing-library/react'
import { useEffect, useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useHeldRow } from './use-held-row.ts'

let grow: () => void
const place = vi.fn()
const onReleased = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: () => void) {
        grow = onResize
      }
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

function Thread() {
  const scroller = useRef<HTMLDivElement>(null)
  const held = useHeldRow({ scroller, place, onReleased })
  useEffect(() => {
    held.hold('line')
    // oxlint-disable-next-line react/exhaustive-deps -- placed once
  }, [])
  return (
    <div ref={scroller} role="log">
      <p>Rows</p>
    </div>
  )
}

test('a row is placed again while the rows around it grow, until they have settled', () => {
  render(<Thread />)
  expect(place.mock.calls).toEqual([['line']])
  grow()
  grow()
  expect(place).toHaveBeenCalledTimes(3)
  void act(() => vi.advanceTimersByTime(1_000))
  expect(onReleased).toHaveBeenCalledOnce()
  grow()
  expect(place).toHaveBeenCalledTimes(3)
})

test('a row is let go even if no height changes', () => {
  render(<Thread />)
  void act(() => vi.advanceTimersByTime(1_000))
  expect(onReleased).toHaveBeenCalledOnce()
})

test('whoever scrolls takes over', () => {
  render(<Thread />)
  fireEvent.wheel(screen.getByRole('log'))
  expect(onReleased).toHaveBeenCalledOnce()
  grow()
  expect(place).toHaveBeenCalledOnce()
})
