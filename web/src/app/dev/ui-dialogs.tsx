import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { Example } from './example.tsx'

type Open = 'modal' | 'wide' | 'columns' | 'confirm' | 'destroy' | 'busy'

export function Dialogs() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const opener = (name: Open, label: string) => (
    <Button variant="ghost" onClick={() => setOpen(name)}>
      {label}
    </Button>
  )
  return (
    <>
      <Example name="modal" inRow>
        {opener('modal', 'With a field')}
        {opener('wide', 'Wide')}
        {opener('columns', 'With columns')}
      </Example>
      <Example name="confirm-dialog" inRow>
        {opener('confirm', 'Confirm')}
        {opener('destroy', 'Destroy')}
        {opener('busy', 'Busy')}
      </Example>
      <Example name="toaster" inRow>
        <Button variant="ghost" onClick={() => showToast('It is done')}>
          Toast
        </Button>
      </Example>
      <Modal
        open={open === 'modal' || open === 'wide' || open === 'columns'}
        onClose={close}
        title="A modal"
        description="It rises from the bottom edge on a phone."
        wide={open === 'wide'}
        hasColumns={open === 'columns'}
        footer={<Button onClick={close}>Done</Button>}
      >
        <TextField label="A field" />
      </Modal>
      <ConfirmDialog
        open={open === 'confirm' || open === 'destroy' || open === 'busy'}
        title={open === 'destroy' ? 'Delete it?' : 'Sign out everywhere?'}
        text="Focus starts on Cancel."
        confirmLabel={open === 'destroy' ? 'Delete' : 'Sign out'}
        isDestructive={open === 'destroy'}
        busyText={open === 'busy' && 'Signing out…'}
        onConfirm={close}
        onCancel={close}
      />
    </>
  )
}
