import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { FileImage } from './file-image.tsx'

afterEach(() => vi.restoreAllMocks())

test('a file is read once, however often it renders, and its object URL is revoked', () => {
  const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:one')
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  const file = new Blob(['a picture'])
  const { rerender, unmount } = render(<FileImage file={file} alt="A picture" />)
  rerender(<FileImage file={file} alt="A picture" className="h-24" />)
  expect(create).toHaveBeenCalledTimes(1)
  expect(screen.getByRole('img', { name: 'A picture' }).getAttribute('src')).toBe('blob:one')
  unmount()
  expect(revoke).toHaveBeenCalledWith('blob:one')
})
