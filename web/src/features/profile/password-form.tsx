import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { PasswordField } from '#ui/password-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { UsernameForManagers } from '#ui/username-for-managers.tsx'
import { changePassword } from './account-changes.ts'
import { passwordSchema } from './profile-schemas.ts'
import { SheetForm } from './sheet-form.tsx'

export function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const form = useSendingForm({
    schema: passwordSchema,
    defaultValues: { current: '', password: '', confirmation: '' },
    send: (change) => changePassword(email, change),
    refusal: (message) => m.profile_password_failed({ message }),
    isQuick: true,
    onSuccess: () => {
      showToast(m.profile_password_changed())
      onDone()
    },
  })
  return (
    <SheetForm form={form}>
      <p className="text-muted">{m.profile_change_password_text()}</p>
      <UsernameForManagers email={email} />
      <PasswordField
        label={m.profile_current_password()}
        autoComplete="current-password"
        {...form.field('current')}
      />
      <PasswordField
        label={m.profile_new_password()}
        autoComplete="new-password"
        {...form.field('password')}
      />
      <PasswordField
        label={m.profile_confirm_new_password()}
        autoComplete="new-password"
        {...form.field('confirmation')}
      />
    </SheetForm>
  )
}
