import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { isUnreachable, messageOf } from '#lib/server/notify-error.ts'
import { useSingleRun } from '#lib/use-single-run.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { showToast } from '#ui/toast-store.ts'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'
import { REPORT_REASONS, sendReport, type Reported, type ReportReason } from './reports.ts'

const NOTE_LIMIT = 1000

const OPTIONS = Object.entries(REPORT_REASONS) as [ReportReason, () => string][]

/** Reports a message or a person to the team's leaders. */
export function ReportSheet({ reported, onClose }: { reported: Reported; onClose: () => void }) {
  const [id] = useState(newId)
  const [reason, setReason] = useState<ReportReason | ''>('')
  const [isMissing, setIsMissing] = useState(false)
  const [note, setNote] = useState('')
  // Thanks once, also when pressed twice.
  const send = useSingleRun(async (chosen: ReportReason) => {
    await sendReport(reported, { id, reason: chosen, note })
    showToast(m.safety_report_sent())
    onClose()
  })
  const report = useMutation({ mutationFn: send })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason === '') return setIsMissing(true)
    report.mutate(reason)
  }

  return (
    <Modal
      open
      onClose={onClose}
      title={
        reported.messageId
          ? m.safety_report_message()
          : m.safety_report_person({ name: reported.name })
      }
      description={m.safety_report_text()}
    >
      <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-4">
        <UnsavedChanges when={reason !== '' || note.trim() !== ''} />
        <SelectField
          label={m.safety_report_reason()}
          options={[
            { value: '', label: m.safety_report_choose() },
            ...OPTIONS.map(([value, label]) => ({ value, label: label() })),
          ]}
          error={isMissing && reason === '' ? m.safety_report_missing() : undefined}
          value={reason}
          onChange={(event) => setReason(event.target.value as ReportReason | '')}
        />
        <TextArea
          label={m.safety_report_note()}
          value={note}
          maxLength={NOTE_LIMIT}
          onChange={(event) => setNote(event.target.value)}
        />
        <a
          href="/house-rules"
          target="_blank"
          rel="noopener"
          className="flex min-h-target items-center text-small text-primary underline"
        >
          {m.safety_rules_read()}
        </a>
        <FormError text={report.error ? failureText(report.error) : undefined} />
        <Button type="submit" size="lg" busyText={report.isPending && m.safety_report_sending()}>
          {m.safety_report_send()}
        </Button>
      </form>
    </Modal>
  )
}

/** Without a connection nothing was refused, and sending the same again is one report. */
function failureText(error: Error): string {
  return isUnreachable(error) ? `${messageOf(error)} ${m.safety_report_kept()}` : messageOf(error)
}
