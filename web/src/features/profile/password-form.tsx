import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { PasswordField } from '#ui/password-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { changePassword } from './account-changes.ts'
import { OwnPassword } from './own-password.tsx'
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
      <OwnPassword
        email={email}
        label={m.profile_current_password()}
        field={form.field('current')}
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
