import { m } from '#lib/messages/messages.js'
import { useSendingForm } from '#lib/use-sending-form.ts'
import { PasswordField } from '#ui/password-field.tsx'
import { deleteAccount } from './account-changes.ts'
import { deletionSchema } from './profile-schemas.ts'
import { SheetForm } from './sheet-form.tsx'
import { UsernameForManagers } from '#ui/username-for-managers.tsx'

/** Asks for the password, so that a phone left on a table deletes nobody. */
export function DeletionForm({ email }: { email: string }) {
  const form = useSendingForm({
    schema: deletionSchema,
    defaultValues: { password: '' },
    // When it is done the session is gone, and the guard leads to the login.
    send: (typed) => deleteAccount(email, typed),
    refusal: (message) => m.profile_delete_failed({ message }),
    isQuick: true,
  })
  return (
    <SheetForm
      form={form}
      saveLabel={m.profile_delete_account()}
      busyText={m.profile_deleting()}
      isDestructive
    >
      <p className="text-muted">{m.profile_delete_text()}</p>
      <UsernameForManagers email={email} />
      <PasswordField
        label={m.profile_password()}
        autoComplete="current-password"
        {...form.register('password')}
      />
    </SheetForm>
  )
}
