import type { UseFormRegister } from 'react-hook-form'
import { m } from '#lib/messages/messages.js'
import { PasswordField } from '#ui/password-field.tsx'
import type { NewAccountValues } from './account-schemas.ts'

/** The password of a new account, typed twice. */
export function NewPasswordFields({ register }: { register: UseFormRegister<NewAccountValues> }) {
  return (
    <>
      <PasswordField
        label={m.auth_password()}
        hint={m.auth_new_password_hint()}
        autoComplete="new-password"
        {...register('password')}
      />
      <PasswordField
        label={m.auth_confirm_password()}
        autoComplete="new-password"
        {...register('confirmation')}
      />
    </>
  )
}
