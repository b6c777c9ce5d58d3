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

test('closing a dialog returns focus to its opener', async () => {
  render(<Opener />)
  openAndClose()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
})

test('when the opener is gone, focus goes to the screen', async () => {
  render(<Opener goesAway />)
  openAndClose()
  await waitFor(() => expect(document.activeElement?.id).toBe('main'))
})

test('when its row is gone, the row in its place gets focus, or else the group', async () => {
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

/** Steps of one flow, each its own dialog, such as a chat's details and its rename form. */
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

test('a dialog that replaces another keeps focus, and the last one returns it', async () => {
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
