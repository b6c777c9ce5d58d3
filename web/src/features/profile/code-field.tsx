import * as v from 'valibot'
import { codeOf } from '#data/session/show-factor.ts'
import type { FieldOf } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { TextField } from '#ui/text-field.tsx'

export const codeSchema = v.object({
  code: v.pipe(
    v.string(),
    v.check(
      (typed) => codeOf(typed).length === 6,
      () => m.profile_two_step_code_incomplete(),
    ),
  ),
})

/** Where a code of the authenticator app is typed. */
export function CodeField({ field }: { field: FieldOf<{ code: string }> }) {
  return (
    <TextField
      label={m.profile_two_step_code()}
      hint={m.profile_two_step_code_hint()}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      {...field('code')}
    />
  )
}
