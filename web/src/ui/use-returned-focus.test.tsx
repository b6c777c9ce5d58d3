import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Modal } from './modal.tsx'

function Opener({ goesAway = false }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <main id="main" tabIndex={-1}>
      {!(goesAway && isOpen) && <button onClick={() => setIsOpen(true)}>Open</button>}
      <Modal open={isOpen} onClose={() => setIsOpen(false)} title="A question" />
    </main>
  )
}

function openAndClose() {
  const opener = screen.getByRole('button', { name: 'Open' })
  opener.focus()
  fireEvent.click(opener)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
}

test('closing a dialog gives focus back to what opened it', async () => {
  render(<Opener />)
  openAndClose()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
})

test('where the opener is gone, focus goes to the screen', async () => {
  render(<Opener goesAway />)
  openAndClose()
  await waitFor(() => expect(document.activeElement?.id).toBe('main'))
})
