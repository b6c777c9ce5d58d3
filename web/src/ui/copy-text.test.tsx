import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'
import { Toaster } from './toaster.tsx'

test('a copied text is in the clipboard, and the member is told', async () => {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  render(<Toaster />)
  await copyText('845 111 222', 'Copied')
  expect(writeText).toHaveBeenCalledExactlyOnceWith('845 111 222')
  expect(await screen.findByText('Copied')).toBeTruthy()
})

test('on a plain http address, which has no clipboard, the member is told to copy by hand', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubGlobal('navigator', {})
  render(<Toaster />)
  await copyText('845 111 222', 'Copied')
  expect(await screen.findByText(/copy it by hand/)).toBeTruthy()
})
