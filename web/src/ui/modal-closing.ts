import { createContext } from 'react'

/** Asked instead of closing, while something in the modal has unsaved changes. */
export type ClosingQuestion = { ask: () => void }

export type ModalClosing = {
  onClose: () => void
  setQuestion: (question: ClosingQuestion | undefined) => void
}

/** Joins a modal with the forms in it. */
export const ModalClosingContext = createContext<ModalClosing | undefined>(undefined)
