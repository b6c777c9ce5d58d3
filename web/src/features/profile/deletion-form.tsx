import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { verifiedFactors } from '#lib/supabase/second-factor.ts'
import { useSession } from '#lib/supabase/session.ts'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { UsernameForManagers } from '#ui/username-for-managers.tsx'
import { deleteAccount } from './account-changes.ts'
import { deletionSchema } from './profile-schemas.ts'
import { SheetForm } from './sheet-form.tsx'

/** Asks for the password, so that nobody else can delete the account on an unattended phone. */
export function DeletionForm({ email }: { email: string }) {
  const session = useSession()
  const needsCode = session.status === 'signed-in' && verifiedFactors(session.session).length > 0
  const form = useSendingForm({
    schema: deletionSchema,
    defaultValues: { password: '', code: '' },
    // Afterwards the session is gone and the guard leads to the login.
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
        {...form.field('password')}
      />
      {needsCode && (
        <TextField
          label={m.profile_two_step_code()}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          {...form.field('code')}
        />
      )}
    </SheetForm>
  )
}
