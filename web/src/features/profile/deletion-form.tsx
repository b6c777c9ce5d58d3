import { verifiedFactors } from '#data/session/second-factor.ts'
import { useSession } from '#data/session/session.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { deleteAccount } from './account-changes.ts'
import { CodeField } from './code-field.tsx'
import { OwnPassword } from './own-password.tsx'
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
      <OwnPassword email={email} field={form.field('password')} />
      {needsCode && <CodeField field={form.field} />}
    </SheetForm>
  )
}
