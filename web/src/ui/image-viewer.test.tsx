import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ImageViewer } from './image-viewer.tsx'

const IMAGE = new Blob(['a picture'], { type: 'image/png' })
const onClose = vi.fn()
const share = vi.fn<(shared: { files: File[] }) => Promise<void>>()

beforeEach(() => {
  vi.resetAllMocks()
  vi.restoreAllMocks()
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:one')
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  Object.assign(navigator, { canShare: () => true, share })
})

function openViewer() {
  render(<ImageViewer open onClose={onClose} image={IMAGE} alt="A flyer" fileName="flyer" />)
}

const button = (name: string) => screen.getByRole('button', { name })
const frame = () => screen.getByRole('group', { name: 'A flyer' })
const zoom = () => frame().firstElementChild?.getAttribute('style')

test('an image opens whole, and is zoomed by buttons, keys and a double click', () => {
  openViewer()
  expect(zoom()).toBe('width: 100%; height: 100%;')
  fireEvent.click(button('Zoom in'))
  expect(zoom()).toBe('width: 150%; height: 150%;')
  fireEvent.keyDown(frame(), { key: '-' })
  expect(zoom()).toBe('width: 100%; height: 100%;')
  expect(button('Zoom out').getAttribute('aria-disabled')).toBe('true')
  fireEvent.doubleClick(frame())
  expect(zoom()).toBe('width: 250%; height: 250%;')
  fireEvent.doubleClick(frame())
  expect(zoom()).toBe('width: 100%; height: 100%;')
})

test('two fingers zoom as far as they spread, up to six times', () => {
  openViewer()
  const fingers = (apart: number) => ({
    touches: [
      { clientX: 100, clientY: 100 },
      { clientX: 100 + apart, clientY: 100 },
    ],
  })
  fireEvent.touchStart(frame(), fingers(50))
  fireEvent.touchMove(frame(), fingers(100))
  expect(zoom()).toBe('width: 200%; height: 200%;')
  fireEvent.touchMove(frame(), fingers(1000))
  expect(zoom()).toBe('width: 600%; height: 600%;')
})

test('an image is saved and shared as a file with its name', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  openViewer()
  fireEvent.click(button('Save image'))
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(saved.mock.contexts[0]).toMatchObject({ download: 'flyer.png' })
  fireEvent.click(button('Share image'))
  await vi.waitFor(() => expect(share).toHaveBeenCalledOnce())
  expect(share.mock.calls[0]?.[0].files[0]?.name).toBe('flyer.png')
})

test('where images cannot be shared, nothing offers it', () => {
  Object.assign(navigator, { canShare: () => false })
  openViewer()
  expect(screen.queryByRole('button', { name: 'Share image' })).toBeNull()
})
