import type { UseFormRegister } from 'react-hook-form'
import { m } from '#lib/messages/messages.js'
import { TextField } from '#ui/text-field.tsx'
import type { NewAccountValues } from './account-schemas.ts'

/** First and last name, beside each other where there is room. */
export function NameFields({ register }: { register: UseFormRegister<NewAccountValues> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label={m.auth_first_name()} autoComplete="given-name" {...register('firstName')} />
      <TextField label={m.auth_last_name()} autoComplete="family-name" {...register('lastName')} />
    </div>
  )
}
