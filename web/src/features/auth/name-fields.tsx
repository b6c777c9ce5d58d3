import type { FieldOf } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { TextField } from '#ui/text-field.tsx'
import type { NewAccountValues } from './account-schemas.ts'

/** First and last name, side by side where there is room. */
export function NameFields({ field }: { field: FieldOf<NewAccountValues> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label={m.auth_first_name()} autoComplete="given-name" {...field('firstName')} />
      <TextField label={m.auth_last_name()} autoComplete="family-name" {...field('lastName')} />
    </div>
  )
}
