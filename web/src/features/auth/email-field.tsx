import { m } from '#lib/messages/messages.js'
import { TextField } from '#ui/text-field.tsx'
import type { ComponentProps } from 'react'

/** The address that names an account, with the keyboard and autofill it needs. */
export function EmailField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label={m.auth_email()}
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  )
}
