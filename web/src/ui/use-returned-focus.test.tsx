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

test('where its row went meanwhile, the row in its place has the focus; without one the group', async () => {
  const rows = (names: string[]) => (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <button>{name}</button>
        </li>
      ))}
    </ul>
  )
  const page = (names: string[], isOpen: boolean) => (
    <section id="rows">
      {rows(names)}
      <Modal open={isOpen} onClose={() => {}} title="Delete?" />
    </section>
  )
  const { rerender } = render(page(['One', 'Two', 'Three'], false))
  screen.getByRole('button', { name: 'Two' }).focus()
  rerender(page(['One', 'Two', 'Three'], true))
  rerender(page(['One', 'Three'], true))
  rerender(page(['One', 'Three'], false))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Three'))

  rerender(page(['One', 'Three'], true))
  rerender(page([], true))
  rerender(page([], false))
  await waitFor(() => expect(document.activeElement?.id).toBe('rows'))
})

/** Steps of one dialog, each a dialog of its own, as the details of a chat and the form for its name. */
function Steps() {
  const [step, setStep] = useState<'none' | 'look' | 'rename'>('none')
  return (
    <main id="main" tabIndex={-1}>
      <button onClick={() => setStep('look')}>Open</button>
      {step === 'look' && (
        <Modal key="look" open onClose={() => setStep('none')} title="Details">
          <button onClick={() => setStep('rename')}>Rename</button>
        </Modal>
      )}
      {step === 'rename' && (
        <Modal key="rename" open onClose={() => setStep('look')} title="Rename">
          <input autoFocus aria-label="Name" />
        </Modal>
      )}
    </main>
  )
}

test('a dialog in place of another keeps the focus, and the last one gives it back', async () => {
  render(<Steps />)
  openAndClose()
  const press = (name: string) => {
    const button = screen.getByRole('button', { name })
    button.focus()
    fireEvent.click(button)
  }
  press('Open')
  press('Rename')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  press('Close')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true)
  press('Close')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
})
