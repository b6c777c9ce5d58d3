import { Contact, KeyRound, Mail, ShieldCheck, UserRoundPen } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { verifiedFactors } from '#data/session/second-factor.ts'
import { useSession, useUserId } from '#data/session/session.ts'
import type { OwnProfile } from '#domain/own-profile.ts'
import { m } from '#lib/messages/messages.js'
import { RowButton } from '#ui/row-button.tsx'
import { accountEmailQuery } from './account-changes.ts'
import { formSheet } from './form-sheet.tsx'
import { SettingGroup } from './setting-group.tsx'

// Opened once in a while, and drawn by nobody else.
const NameSheet = formSheet<{ profile: OwnProfile }>(
  m.profile_change_name,
  async () => (await import('./name-form.tsx')).NameForm,
)
const ContactSheet = formSheet<{ profile: OwnProfile }>(
  m.profile_change_contact,
  async () => (await import('./contact-form.tsx')).ContactForm,
)
const EmailSheet = formSheet<{ profile: OwnProfile }>(
  m.profile_change_email,
  async () => (await import('./email-form.tsx')).EmailForm,
)
const PasswordSheet = formSheet<{ email: string }>(
  m.profile_change_password,
  async () => (await import('./password-form.tsx')).PasswordForm,
)
const TwoStepSheet = formSheet<{ email: string }>(
  m.profile_two_step,
  async () => (await import('./two-step-sheet.tsx')).TwoStepSheet,
)

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
      {profile && change === 'name' && <NameSheet profile={profile} onClose={close} />}
      {profile && change === 'contact' && <ContactSheet profile={profile} onClose={close} />}
      {profile && change === 'email' && <EmailSheet profile={profile} onClose={close} />}
      {change === 'password' && <PasswordSheet email={email} onClose={close} />}
      {change === 'two-step' && <TwoStepSheet email={email} onClose={close} />}
    </SettingGroup>
  )
}
