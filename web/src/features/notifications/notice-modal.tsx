import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useFields } from '#lib/forms/use-fields.ts'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { notifyError, showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Counter } from '#ui/counter.tsx'
import { Logo } from '#ui/logo.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { AudienceFields } from './audience-fields.tsx'
import { newNotice } from './new-notice.ts'
import { countRecipients, publishNotice } from './notice-queries.ts'
import { EMPTY_NOTICE, LONGEST_TITLE, type NoticeForm, noticeSchema } from './notice-schema.ts'
import { SendQuestion } from './send-question.tsx'

/** Writes a notice, previews it, and sends it now or later. */
export function NoticeModal({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [id, setId] = useState(newId)
  /** What Send was pressed with, each once. */
  const [attempts] = useState(() => new Set<string>())
  const [isSending, setIsSending] = useState(false)
  const [asked, setAsked] = useState<{ filledIn: NoticeForm; count: number }>()
  const form = useFields(noticeSchema(), EMPTY_NOTICE)
  const { values } = form

  function submit(event: FormEvent) {
    event.preventDefault()
    const { values: filledIn, refusal } = form.check()
    // What is scheduled can be withdrawn before anybody gets it.
    if (filledIn && !isSending) void (filledIn.scheduledFor ? publish(filledIn) : ask(filledIn))
    // The field shows it too; the alert is the product's rule (product.md P130).
    if (refusal) notifyError(refusal)
  }

  async function ask(filledIn: NoticeForm) {
    setIsSending(true)
    try {
      setAsked({ filledIn, count: await countRecipients(newNotice(id, filledIn)) })
    } catch (error) {
      showError(m.notifications_error_saving(), error)
    } finally {
      setIsSending(false)
    }
  }

  async function publish(filledIn: NoticeForm) {
    setAsked(undefined)
    setIsSending(true)
    try {
      const notice = newNotice(id, filledIn)
      attempts.add(JSON.stringify(notice))
      if (!(await publishNotice(notice)) && attempts.size > 1) {
        // From here on it is another notice.
        setId(newId())
        attempts.clear()
        notifyError(m.notifications_sent_before_changes())
        return
      }
      showToast(notice.scheduled_for ? m.notifications_scheduled() : m.notifications_published())
      onClose()
    } catch (error) {
      showError(m.notifications_error_saving(), error)
    } finally {
      setIsSending(false)
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
          busyText={isSending && m.notifications_sending()}
          className="max-sm:w-full"
        >
          {values.scheduledFor === '' ? m.notifications_send_now() : m.notifications_schedule()}
        </Button>
      }
    >
      <UnsavedChanges when={form.isDirty} />
      <form id="notice-form" noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <TextField
          label={m.notifications_field_title()}
          hint={<Counter count={values.title.trim().length} limit={LONGEST_TITLE} />}
          {...form.field('title')}
        />
        <TextArea label={m.notifications_field_text()} {...form.field('body')} />
        <TextField
          label={m.notifications_field_link()}
          hint={m.notifications_field_link_hint()}
          inputMode="url"
          {...form.field('link')}
        />
        <AudienceFields form={form} />
        <TextField
          label={m.notifications_field_when()}
          hint={m.notifications_field_when_hint()}
          type="datetime-local"
          {...form.field('scheduledFor')}
        />
        <Checkbox label={m.notifications_field_acknowledge()} {...form.field('mustAcknowledge')} />
        <Checkbox label={m.notifications_field_urgent()} {...form.field('isUrgent')} />
        <NoticePreview title={values.title} body={values.body} />
      </form>
      {asked && (
        <SendQuestion
          {...asked}
          onConfirm={() => void publish(asked.filledIn)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </Modal>
  )
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
