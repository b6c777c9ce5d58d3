import { fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useJustMoved } from './use-just-moved.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

const pressed = vi.fn()

function Row({ top }: { top: number }) {
  const row = useRef<HTMLButtonElement>(null)
  const hasJustMoved = useJustMoved(row)
  return (
    <button
      ref={(element) => {
        row.current = element
        // There is no layout here.
        if (element) Object.defineProperty(element, 'offsetTop', { value: top, configurable: true })
      }}
      onClick={() => {
        if (!hasJustMoved()) pressed()
      }}
    >
      Approve
    </button>
  )
}

test('the second tap on a row that went is no press on the row that took its place', () => {
  const press = () => fireEvent.click(screen.getByRole('button'))
  const { rerender } = render(<Row top={100} />)
  press()
  expect(pressed).toHaveBeenCalledTimes(1)
  rerender(<Row top={100} />)
  press()
  expect(pressed).toHaveBeenCalledTimes(2)
  rerender(<Row top={0} />)
  vi.advanceTimersByTime(400)
  press()
  expect(pressed).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(101)
  press()
  expect(pressed).toHaveBeenCalledTimes(3)
})
