import { KeyRound, Mail, ShieldCheck, UserRoundPen } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { OwnProfile } from '#domain/own-profile.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { verifiedFactors } from '#lib/supabase/second-factor.ts'
import { useSession } from '#lib/supabase/session.ts'
import { Modal } from '#ui/modal.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { TextField } from '#ui/text-field.tsx'
import { changeEmail } from './account-changes.ts'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { emailSchema } from './profile-schemas.ts'
import { SettingGroup } from './setting-group.tsx'
import { SheetForm } from './sheet-form.tsx'

// Opened once in a while, and drawn by nobody else.
const TwoStepSheet = lazy(async () => ({
  default: (await import('./two-step-sheet.tsx')).TwoStepSheet,
}))

type Change = 'name' | 'email' | 'password' | 'two-step'

export function AccountActions({ profile }: { profile: OwnProfile }) {
  const [change, setChange] = useState<Change>()
  const session = useSession()
  const isTwoStepOn = session.status === 'signed-in' && verifiedFactors(session.session).length > 0
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
      <RowButton
        icon={<ShieldCheck />}
        label={m.profile_two_step()}
        detail={isTwoStepOn ? m.profile_two_step_on() : m.profile_two_step_off()}
        onClick={() => setChange('two-step')}
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
      <Modal open={change === 'two-step'} onClose={close} title={m.profile_two_step()}>
        <Suspense fallback={<Spinner className="m-auto my-6" />}>
          <TwoStepSheet onDone={close} />
        </Suspense>
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
