import type { FieldOf } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { PasswordField } from '#ui/password-field.tsx'
import type { NewAccountValues } from './account-schemas.ts'

/** The password of a new account, typed twice. */
export function NewPasswordFields({ field }: { field: FieldOf<NewAccountValues> }) {
  return (
    <>
      <PasswordField
        label={m.auth_password()}
        hint={m.auth_new_password_hint()}
        autoComplete="new-password"
        {...field('password')}
      />
      <PasswordField
        label={m.auth_confirm_password()}
        autoComplete="new-password"
        {...field('confirmation')}
      />
    </>
  )
}
