import { valibotResolver } from '@hookform/resolvers/valibot'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type FieldErrors, useForm, useWatch } from 'react-hook-form'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { notifyError, showError } from '#lib/supabase/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Logo } from '#ui/logo.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { AudienceFields } from './audience-fields.tsx'
import { goesOutLater, newNotice } from './new-notice.ts'
import { publishNotice } from './notice-queries.ts'
import { EMPTY_NOTICE, type NoticeForm, noticeSchema } from './notice-schema.ts'

/** Writes a notice, previews it, and sends it now or later. */
export function NoticeModal({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [id] = useState(newId)
  const form = useForm<NoticeForm>({
    resolver: valibotResolver(noticeSchema()),
    defaultValues: EMPTY_NOTICE,
  })
  const { errors, isDirty, isSubmitting } = form.formState
  const values = useWatch({ control: form.control }) as NoticeForm

  async function publish(filledIn: NoticeForm) {
    try {
      const notice = newNotice(id, filledIn)
      await publishNotice(notice)
      showToast(notice.scheduled_for ? m.notifications_scheduled() : m.notifications_published())
      onClose()
    } catch (error) {
      showError(m.notifications_error_saving(), error)
    } finally {
      void queryClient.invalidateQueries({ queryKey: ['team_notices'] })
    }
  }

  return (
    <Modal
      open
      wide
      onClose={onClose}
      title={m.notifications_write()}
      footer={
        <Button
          type="submit"
          form="notice-form"
          busyText={isSubmitting && m.notifications_sending()}
          className="max-sm:w-full"
        >
          {goesOutLater(values) ? m.notifications_schedule() : m.notifications_send_now()}
        </Button>
      }
    >
      <UnsavedChanges when={isDirty} />
      <form
        id="notice-form"
        noValidate
        className="grid grid-cols-1 gap-4"
        onSubmit={(event) => void form.handleSubmit(publish, alertFirst)(event)}
      >
        <TextField
          label={m.notifications_field_title()}
          error={errors.title?.message}
          maxLength={100}
          {...form.register('title')}
        />
        <TextArea
          label={m.notifications_field_text()}
          error={errors.body?.message}
          {...form.register('body')}
        />
        <TextField
          label={m.notifications_field_link()}
          hint={m.notifications_field_link_hint()}
          error={errors.link?.message}
          inputMode="url"
          {...form.register('link')}
        />
        <AudienceFields form={form} />
        <TextField
          label={m.notifications_field_when()}
          hint={m.notifications_field_when_hint()}
          type="datetime-local"
          {...form.register('scheduledFor')}
        />
        <Checkbox
          label={m.notifications_field_acknowledge()}
          {...form.register('mustAcknowledge')}
        />
        <Checkbox label={m.notifications_field_urgent()} {...form.register('isUrgent')} />
        <NoticePreview title={values.title} body={values.body} />
      </form>
    </Modal>
  )
}

/** The field shows it too; the alert is the product's rule (product.md P130). */
function alertFirst(errors: FieldErrors<NoticeForm>) {
  const first = Object.values(errors).find((error) => error.message)
  if (first?.message) notifyError(first.message)
}

/** Roughly how a phone will show it. */
function NoticePreview({ title, body }: { title: string; body: string }) {
  return (
    <section aria-label={m.notifications_preview()} className="grid gap-1.5">
      <h3 className="text-note font-semibold">{m.notifications_preview()}</h3>
      <div className="flex gap-3 rounded-card bg-surface p-4">
        <Logo className="size-9 flex-none" />
        <div className="min-w-0">
          <p className="truncate font-semibold">{title || m.notifications_field_title()}</p>
          <p className="line-clamp-2 text-small break-words text-muted">{body}</p>
        </div>
      </div>
    </section>
  )
}
