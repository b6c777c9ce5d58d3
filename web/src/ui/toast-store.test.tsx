import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showToast } from './toast-store.ts'
import { Toaster } from './toaster.tsx'

afterEach(() => vi.useRealTimers())

test('a message about somebody replaces the earlier one about them, and its Undo', () => {
  vi.useFakeTimers()
  render(<Toaster />)
  const undo = vi.fn()
  act(() => {
    showToast('Zed was declined', undo, 'zed')
    showToast('Ana was approved', undo, 'ana')
    showToast('Saved')
    showToast('Zed is waiting again', undefined, 'zed')
  })
  expect(screen.queryByText('Zed was declined')).toBeNull()
  for (const text of ['Ana was approved', 'Saved', 'Zed is waiting again']) screen.getByText(text)
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
  act(() => {
    vi.runAllTimers()
  })
  expect(screen.queryByText('Zed is waiting again')).toBeNull()
})
