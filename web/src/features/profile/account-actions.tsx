import { KeyRound, Mail, UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import type { OwnProfile } from '#domain/own-profile.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { Modal } from '#ui/modal.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { changeEmail } from './account-changes.ts'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { emailSchema } from './profile-schemas.ts'
import { SettingGroup } from './setting-group.tsx'
import { SheetForm } from './sheet-form.tsx'

type Change = 'name' | 'email' | 'password'

export function AccountActions({ profile }: { profile: OwnProfile }) {
  const [change, setChange] = useState<Change>()
  const close = () => setChange(undefined)
  return (
    <SettingGroup title={m.profile_your_account()}>
      <RowButton
        icon={<UserRoundPen />}
        label={m.profile_change_name()}
        onClick={() => setChange('name')}
      />
      <RowButton
        icon={<Mail />}
        label={m.profile_change_email()}
        onClick={() => setChange('email')}
      />
      <RowButton
        icon={<KeyRound />}
        label={m.profile_change_password()}
        onClick={() => setChange('password')}
      />
      <Modal open={change === 'name'} onClose={close} title={m.profile_change_name()}>
        <NameForm profile={profile} onDone={close} />
      </Modal>
      <Modal open={change === 'email'} onClose={close} title={m.profile_change_email()}>
        <EmailForm />
      </Modal>
      <Modal open={change === 'password'} onClose={close} title={m.profile_change_password()}>
        <PasswordForm email={profile.email ?? ''} onDone={close} />
      </Modal>
    </SettingGroup>
  )
}

function EmailForm() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useSendingForm({
    schema: emailSchema,
    defaultValues: { email: '' },
    send: changeEmail,
    refusal: (message) => m.profile_email_failed({ message }),
    isQuick: true,
    onSuccess: ({ email }) => setSentTo(email),
  })
  if (sentTo) return <p role="status">{m.profile_change_email_sent({ email: sentTo })}</p>
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
