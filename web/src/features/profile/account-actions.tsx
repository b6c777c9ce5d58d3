import { KeyRound, Mail, UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import type { OwnProfile } from '#lib/own-profile.ts'
import { Modal } from '#ui/modal.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { EmailForm } from './email-form.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SettingGroup } from './setting-group.tsx'

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
        <PasswordForm email={profile.email} onDone={close} />
      </Modal>
    </SettingGroup>
  )
}
