import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'
import { Toaster } from './toaster.tsx'

test('copied text is on the clipboard, and a toast confirms it', async () => {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  render(<Toaster />)
  await copyText('845 111 222', 'Copied')
  expect(writeText).toHaveBeenCalledExactlyOnceWith('845 111 222')
  expect(await screen.findByText('Copied')).toBeTruthy()
})

test('on plain http, where there is no clipboard, a toast asks the member to copy it themselves', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubGlobal('navigator', {})
  render(<Toaster />)
  await copyText('845 111 222', 'Copied')
  expect(await screen.findByText(/copy it yourself/)).toBeTruthy()
})
