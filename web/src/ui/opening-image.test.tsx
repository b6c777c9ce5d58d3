import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OpeningImage } from './opening-image.tsx'

test('a picture is shown whole, and opens on the whole screen with zoom and save', async () => {
  render(<OpeningImage src="https://example.com/flyer.png" alt={null} title="Picnic" />)
  expect(screen.getByAltText('Picnic').className).toContain('object-contain')
  fireEvent.click(screen.getByRole('button', { name: 'Open image: Picnic' }))
  const viewer = await screen.findByRole('dialog', { name: 'Picnic' })
  expect(viewer.querySelector('img')?.getAttribute('src')).toBe('https://example.com/flyer.png')
  for (const name of ['Zoom in', 'Save image']) {
    expect(screen.getByRole('button', { name })).toBeTruthy()
  }
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})
