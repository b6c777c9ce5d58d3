import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFields } from '#lib/forms/use-fields.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { notifyError, showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import { showToast } from '#ui/toast-store.ts'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { insertItem, updateItem } from './admin-queries.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { ContentFields } from './content-fields.tsx'
import { contentFormSchema, formOf, type ContentForm } from './content-form.ts'
import type { ContentType } from './content-types.ts'
import type { ManagedItem } from './managed-item.ts'

type Props = { type: ContentType; item: ManagedItem | undefined; onClose: () => void }

type Conflict = { current: ManagedItem | null }

/**
 * Adds or edits one item. Guards against losing unsaved changes and against overwriting another admin's
 * unasked.
 */
export function ContentModal({ type, item, onClose }: Props) {
  const queryClient = useQueryClient()
  const [newItemId] = useState(newId)
  const [base, setBase] = useState(item)
  const [conflict, setConflict] = useState<Conflict>()
  const [isUploading, setIsUploading] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const form = useFields(contentFormSchema(type), formOf(type, item))

  async function save(values: ContentForm, over: ManagedItem | undefined) {
    setIsSaving(true)
    try {
      const saved = over
        ? await updateItem(type, over, values, form.changed)
        : await insertItem(type, newItemId, values)
      if (saved?.result === 'conflict') return setConflict({ current: saved.current })
      showToast(m.admin_saved())
      onClose()
    } catch (error) {
      showError(m.admin_error_saving(), error)
    } finally {
      setIsSaving(false)
      void queryClient.invalidateQueries({ queryKey: [type.table] })
    }
  }

  function showTheirs(current: ManagedItem) {
    setBase(current)
    setConflict(undefined)
    form.reset(formOf(type, current))
  }

  function submit(over: ManagedItem | undefined) {
    const { values, refusal } = form.check()
    if (values && !isSaving) void save(values, over)
    // The field shows it too; the alert is the product's rule (product.md P130).
    if (refusal) notifyError(refusal)
  }

  return (
    <Modal
      open
      hasColumns
      onClose={onClose}
      title={item ? m.admin_edit_title() : m.admin_add_title({ type: type.name() })}
      footer={
        !conflict && (
          <Button
            type="submit"
            form="content-form"
            busyText={(isUploading && m.admin_image_uploading()) || (isSaving && m.admin_saving())}
            className="max-sm:w-full"
          >
            {m.admin_save()}
          </Button>
        )
      }
    >
      <UnsavedChanges when={form.isDirty} />
      {conflict && (
        <ConflictNotice
          type={type}
          base={base}
          current={conflict.current}
          onTheirs={showTheirs}
          onMine={() => {
            const over = conflict.current ?? undefined
            setBase(over)
            setConflict(undefined)
            submit(over)
          }}
        />
      )}
      <form
        id="content-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // Enter in a field submits as well.
          if (!isUploading) submit(base)
        }}
        className="grid grid-cols-1 gap-4 lg:grid-cols-[3fr_2fr] lg:gap-8"
      >
        <ContentFields type={type} form={form} onUploading={setIsUploading} />
      </form>
    </Modal>
  )
}
