import { use, useEffect, useLayoutEffect, useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { ModalClosingContext } from './modal-closing.ts'

type UnsavedChangesProps = {
  when: boolean
  question?: { title: string; text: string; confirmLabel: string }
}

/**
 * Belongs into every modal with a form: while `when` holds, closing it in any way (Escape, the X, a tap
 * outside, Back, which closes the top layer, closing the tab) asks first. Without `question` it is about what was typed.
 */
export function UnsavedChanges({ when, question }: UnsavedChangesProps) {
  const modal = use(ModalClosingContext)
  const [isAsking, setIsAsking] = useState(false)
  useWarningBeforeLeaving(when)

  const setQuestion = modal?.setQuestion
  useLayoutEffect(() => {
    if (!when || !setQuestion) return
    setQuestion({ ask: () => setIsAsking(true) })
    return () => setQuestion(undefined)
  }, [when, setQuestion])

  return (
    <ConfirmDialog
      open={isAsking}
      title={question?.title ?? m.ui_discard_title()}
      text={question?.text ?? m.ui_discard_text()}
      confirmLabel={question?.confirmLabel ?? m.ui_discard_confirm()}
      isDestructive
      onCancel={() => setIsAsking(false)}
      onConfirm={() => {
        setIsAsking(false)
        modal?.onClose()
      }}
    />
  )
}

function useWarningBeforeLeaving(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isOn])
}
