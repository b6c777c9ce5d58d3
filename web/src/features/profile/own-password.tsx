import type { ComponentProps } from 'react'
import { Link } from 'react-router'
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
        <Link
          to="/forgot-password"
          state={{ email }}
          onClick={onForgotten}
          className="-my-1.5 flex min-h-target items-center justify-self-end text-note font-semibold text-primary hover:underline"
        >
          {m.auth_forgot_password_link()}
        </Link>
      </div>
    </>
  )
}
