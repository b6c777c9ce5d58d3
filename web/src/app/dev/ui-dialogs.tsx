import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { ImageViewer } from '#ui/image-viewer.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { Example } from './example.tsx'

type Open = 'modal' | 'wide' | 'columns' | 'confirm' | 'destroy' | 'busy' | 'image'

export function Dialogs() {
  const [open, setOpen] = useState<Open>()
  const [typed, setTyped] = useState('')
  const close = () => {
    setOpen(undefined)
    setTyped('')
  }
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
      <Example name="image-viewer" inRow>
        {opener('image', 'Image')}
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
        <UnsavedChanges when={typed !== ''} />
        <TextField label="A field" onChange={(event) => setTyped(event.target.value)} />
      </Modal>
      <ImageViewer
        image="/icons/icon-512.png"
        alt="The logo"
        fileName="logo"
        open={open === 'image'}
        onClose={close}
      />
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
