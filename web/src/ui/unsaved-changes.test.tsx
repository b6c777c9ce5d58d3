import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Modal } from './modal.tsx'
import { UnsavedChanges } from './unsaved-changes.tsx'

function TypedForm({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  return (
    <Modal open title="Notice" onClose={onClose}>
      <UnsavedChanges when={text !== ''} />
      <input aria-label="Title" value={text} onChange={(event) => setText(event.target.value)} />
    </Modal>
  )
}

/** Back presses Escape: back-closes-layers.ts. */
const WAYS_OUT: [string, () => void][] = [
  ['Escape', () => fireEvent.keyDown(screen.getByLabelText('Title'), { key: 'Escape' })],
  ['the X', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
]

test.each(WAYS_OUT)('%s asks before a typed form is lost', async (_, leave) => {
  const onClose = vi.fn()
  render(<TypedForm onClose={onClose} />)
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Rooms' } })
  for (const answer of ['Cancel', 'Discard']) {
    leave()
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }))
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.click(question.getByRole('button', { name: answer }))
    await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  }
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('an untouched form closes at once', () => {
  const onClose = vi.fn()
  render(<TypedForm onClose={onClose} />)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalledTimes(1)
})
