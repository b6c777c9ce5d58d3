import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { saveHouseRules } from '#domain/house-rules.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { CheckRow } from '#ui/check-row.tsx'
import { FormError } from '#ui/form-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { UnsavedChanges } from '#ui/unsaved-changes.tsx'

const TEXT_LIMIT = 10_000
const EMAIL_LIMIT = 254

type EditRulesProps = { rules: { body: string; contact: string }; onClose: () => void }

/** For admins: the rules, the address for abuse, and whether everybody accepts them again. */
export function EditRules({ rules, onClose }: EditRulesProps) {
  const [body, setBody] = useState(rules.body || m.safety_rules_default())
  const [contact, setContact] = useState(rules.contact)
  const [asksAgain, setAsksAgain] = useState(false)
  const save = useMutation({
    // The default stays in each reader's language until somebody changes it.
    mutationFn: () =>
      saveHouseRules({
        body: body.trim() === m.safety_rules_default() ? '' : body,
        contact,
        ask_again: asksAgain,
      }),
    onSuccess() {
      showToast(m.safety_rules_saved())
      onClose()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }

  const isChanged = body !== (rules.body || m.safety_rules_default()) || contact !== rules.contact
  return (
    <Modal open onClose={onClose} title={m.safety_rules_edit_title()} wide>
      <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-4">
        <UnsavedChanges when={isChanged} />
        <TextArea
          label={m.safety_rules_text()}
          hint={m.safety_rules_text_hint()}
          rows={12}
          value={body}
          maxLength={TEXT_LIMIT}
          onChange={(event) => setBody(event.target.value)}
        />
        <TextField
          label={m.safety_rules_contact()}
          type="email"
          value={contact}
          maxLength={EMAIL_LIMIT}
          onChange={(event) => setContact(event.target.value)}
        />
        <CheckRow
          picture={<ShieldCheck aria-hidden="true" className="size-5" />}
          title={m.safety_rules_ask()}
          text={m.safety_rules_ask_text()}
          checked={asksAgain}
          onChange={(event) => setAsksAgain(event.target.checked)}
        />
        <FormError text={save.error ? messageOf(save.error) : undefined} />
        <Button type="submit" size="lg" isWaiting={save.isPending}>
          {m.safety_rules_save()}
        </Button>
      </form>
    </Modal>
  )
}
