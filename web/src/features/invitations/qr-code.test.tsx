import { render, screen } from '@testing-library/react'
import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { QrCode } from './qr-code.tsx'

const ADDRESS = 'https://rally.example.com/join/0123456789abcdef0123456789abcdef'
const PIXELS = 4

/** Rasterizes the drawing as a camera sees it: white, with a dark square wherever its path has one. */
function photograph(picture: Element) {
  const size = Number(picture.getAttribute('viewBox')?.split(' ')[2]) * PIXELS
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  const path = picture.querySelector('path')?.getAttribute('d') ?? ''
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < PIXELS; row++) {
      const start = ((Number(y) * PIXELS + row) * size + Number(x) * PIXELS) * 4
      for (let at = start; at < start + PIXELS * 4; at += 4) pixels.fill(0, at, at + 3)
    }
  }
  return [pixels, size, size] as const
}

test('a camera reads the exact link from the drawn code', () => {
  render(<QrCode text={ADDRESS} label="Join link" />)
  const picture = screen.getByRole('img', { name: 'Join link' })
  expect(jsQR(...photograph(picture))?.data).toBe(ADDRESS)
})
