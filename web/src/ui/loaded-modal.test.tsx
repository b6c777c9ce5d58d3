import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { loadedModal } from './loaded-modal.tsx'

test('a dialog whose code does not arrive is closed with an alert, and loaded again at the next press', async () => {
  const alert = vi.fn()
  vi.stubGlobal('alert', alert)
  const load = vi
    .fn<() => Promise<() => string>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue(() => 'Loaded')
  const Modal = loadedModal(load)
  const close = vi.fn()
  const { unmount } = render(<Modal onClose={close} />)
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(alert).toHaveBeenCalledWith('This could not be opened: The server did not answer.')
  unmount()
  render(<Modal onClose={close} />)
  expect(await screen.findByText('Loaded')).toBeTruthy()
  expect(close).toHaveBeenCalledTimes(1)
})
