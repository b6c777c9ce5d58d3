import type { ComponentProps } from 'react'
import { ForgotPasswordLink } from '#domain/forgot-password-link.tsx'
import { m } from '#lib/messages/messages.js'
import { PasswordField } from '#ui/password-field.tsx'
import { UsernameForManagers } from '#ui/username-for-managers.tsx'

type OwnPasswordProps = {
  email: string
  label?: string
  field: Omit<ComponentProps<typeof PasswordField>, 'label'>
  /** The member goes to have a new one mailed. */
  onForgotten?: () => void
}

/** Where members type the password they have. */
export function OwnPassword({ email, label, field, onForgotten }: OwnPasswordProps) {
  return (
    <>
      <UsernameForManagers email={email} />
      <div className="grid gap-1.5">
        <PasswordField
          label={label ?? m.profile_password()}
          autoComplete="current-password"
          {...field}
        />
        <ForgotPasswordLink email={email} onClick={onForgotten} />
      </div>
    </>
  )
}
