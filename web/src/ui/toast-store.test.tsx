import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetUndos, showToast } from './toast-store.ts'
import { Toaster } from './toaster.tsx'

// Other files may have left some.
beforeEach(forgetUndos)
afterEach(() => vi.useRealTimers())

test('a message about somebody replaces the earlier one about them, and its Undo', () => {
  vi.useFakeTimers()
  render(<Toaster />)
  const undo = vi.fn()
  act(() => {
    showToast('Zed was declined', undo, 'zed')
    showToast('Ana was approved', undo, 'ana')
    showToast('Ana is saved')
    showToast('Zed is waiting again', undefined, 'zed')
  })
  expect(screen.queryByText('Zed was declined')).toBeNull()
  for (const text of ['Ana was approved', 'Ana is saved', 'Zed is waiting again'])
    screen.getByText(text)
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
  act(() => {
    vi.runAllTimers()
  })
  expect(screen.queryByText('Zed is waiting again')).toBeNull()
})

test('after a sign-out the next member cannot undo what the last one did', () => {
  vi.useFakeTimers()
  render(<Toaster />)
  act(() => {
    showToast('Zed was declined', vi.fn())
    showToast('Ana is saved')
    forgetUndos()
  })
  expect(screen.queryByText('Zed was declined')).toBeNull()
  screen.getByText('Ana is saved')
  act(() => {
    vi.runAllTimers()
  })
})
