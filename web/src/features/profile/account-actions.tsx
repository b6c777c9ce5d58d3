import { Contact, KeyRound, Mail, ShieldCheck, UserRoundPen } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { OwnProfile } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { verifiedFactors } from '#lib/supabase/second-factor.ts'
import { useSession, useUserId } from '#lib/supabase/session.ts'
import { RowButton } from '#ui/row-button.tsx'
import { accountEmailQuery } from './account-changes.ts'
import { FormLoads, FormSheet } from './form-sheet.tsx'
import { SettingGroup } from './setting-group.tsx'

// Opened once in a while, and drawn by nobody else.
const NameForm = lazy(async () => ({ default: (await import('./name-form.tsx')).NameForm }))
const ContactForm = lazy(async () => ({
  default: (await import('./contact-form.tsx')).ContactForm,
}))
const EmailForm = lazy(async () => ({ default: (await import('./email-form.tsx')).EmailForm }))
const PasswordForm = lazy(async () => ({
  default: (await import('./password-form.tsx')).PasswordForm,
}))
const TwoStepSheet = lazy(async () => ({
  default: (await import('./two-step-sheet.tsx')).TwoStepSheet,
}))

type Change = 'name' | 'contact' | 'email' | 'password' | 'two-step'

type AccountActionsProps = {
  /** Undefined while it loads: a form that is opened meanwhile waits for it. */
  profile: OwnProfile | undefined
  email: string
}

export function AccountActions({ profile, email }: AccountActionsProps) {
  const [change, setChange] = useState<Change>()
  const session = useSession()
  const isTwoStepOn = session.status === 'signed-in' && verifiedFactors(session.session).length > 0
  const { data: account } = useQuery(accountEmailQuery(useUserId()))
  const close = () => setChange(undefined)
  return (
    <SettingGroup title={m.profile_your_account()}>
      <RowButton
        icon={<UserRoundPen />}
        label={m.profile_change_name()}
        onClick={() => setChange('name')}
      />
      <RowButton
        icon={<Contact />}
        label={m.profile_change_contact()}
        onClick={() => setChange('contact')}
      />
      <RowButton
        icon={<Mail />}
        label={m.profile_change_email()}
        detail={account?.newEmail && m.profile_email_pending()}
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
      <FormSheet open={change === 'name'} onClose={close} title={m.profile_change_name()}>
        {profile ? <NameForm profile={profile} onDone={close} /> : <FormLoads />}
      </FormSheet>
      <FormSheet open={change === 'contact'} onClose={close} title={m.profile_change_contact()}>
        {profile ? <ContactForm profile={profile} onDone={close} /> : <FormLoads />}
      </FormSheet>
      <FormSheet open={change === 'email'} onClose={close} title={m.profile_change_email()}>
        {profile ? <EmailForm profile={profile} /> : <FormLoads />}
      </FormSheet>
      <FormSheet open={change === 'password'} onClose={close} title={m.profile_change_password()}>
        <PasswordForm email={email} onDone={close} />
      </FormSheet>
      <FormSheet open={change === 'two-step'} onClose={close} title={m.profile_two_step()}>
        <TwoStepSheet email={email} onDone={close} />
      </FormSheet>
    </SettingGroup>
  )
}
