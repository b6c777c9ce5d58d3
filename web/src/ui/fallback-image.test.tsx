import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { FallbackImage } from './fallback-image.tsx'

afterEach(() => vi.restoreAllMocks())

test('a picture that could not be loaded offline is loaded again once there is a connection, and only then', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  render(<FallbackImage src="https://pictures.test/team.png" alt="The team" />)
  const shown = () => screen.getByRole('img', { name: 'The team' })
  fireEvent.error(shown())
  expect(shown().tagName).toBe('SPAN')
  onLine.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(shown().tagName).toBe('IMG')
  fireEvent.error(shown())
  expect(shown().tagName).toBe('SPAN')
})
