import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import type { OwnProfile } from '#domain/own-profile.ts'
import { ResendButton } from '#domain/resend-button.tsx'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { accountEmailQuery, changeEmail, resendEmailChange } from './account-changes.ts'
import { newEmailSchema } from './profile-schemas.ts'
import { SheetForm } from './sheet-form.tsx'

/** Asks for a new address; while one waits to be confirmed, says where the links went. */
export function EmailForm({ profile }: { profile: OwnProfile }) {
  const queryClient = useQueryClient()
  const reading = accountEmailQuery(profile.id)
  const { queryKey } = reading
  const { data: account } = useQuery(reading)
  const [wasJustSent, setWasJustSent] = useState(false)
  const current = account?.email ?? profile.email ?? ''
  const newEmail = account?.newEmail

  async function note(waiting: string | null) {
    setWasJustSent(waiting !== null)
    // A response from before would arrive as news.
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, { email: current, newEmail: waiting })
  }

  async function refresh() {
    await queryClient.invalidateQueries({ queryKey })
    await queryClient.invalidateQueries({ queryKey: ['users'] })
  }

  if (!newEmail) return <NewEmail current={current} onSent={(email) => void note(email)} />
  return (
    <PendingEmail
      current={current}
      newEmail={newEmail}
      wasJustSent={wasJustSent}
      onKept={() => void note(null)}
      onOver={() => void refresh()}
    />
  )
}

type NewEmailProps = { current: string; onSent: (email: string) => void }

function NewEmail({ current, onSent }: NewEmailProps) {
  const form = useSendingForm({
    schema: newEmailSchema(current),
    defaultValues: { email: '' },
    send: changeEmail,
    refusal: (message) => m.profile_email_failed({ message }),
    isQuick: true,
    onSuccess: ({ email }) => onSent(email),
  })
  return (
    <SheetForm form={form}>
      <p className="text-muted">{m.profile_change_email_text()}</p>
      <TextField
        label={m.profile_new_email()}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('email')}
      />
    </SheetForm>
  )
}

type PendingEmailProps = {
  current: string
  newEmail: string
  wasJustSent: boolean
  onKept: () => void
  /** The change was confirmed or taken back elsewhere. */
  onOver: () => void
}

function PendingEmail({ current, newEmail, wasJustSent, onKept, onOver }: PendingEmailProps) {
  const [isBusy, setIsBusy] = useState(false)

  async function keep() {
    setIsBusy(true)
    try {
      const isKept = await callFunction('cancel_my_email_change', {})
      showToast(isKept ? m.profile_email_kept({ email: current }) : m.profile_email_over())
      if (isKept) onKept()
      else onOver()
    } catch (error) {
      showError(m.profile_email_keep_failed(), error)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <div className="grid gap-3">
      <p role="status" className="wrap-anywhere">
        {m.profile_change_email_sent({ email: newEmail })}
      </p>
      <ResendButton resend={() => resendEmailChange(current)} wasJustSent={wasJustSent} />
      <Button
        variant="ghost"
        size="lg"
        busyText={isBusy && m.profile_saving()}
        onClick={() => void keep()}
      >
        {m.profile_email_keep()}
      </Button>
    </div>
  )
}
