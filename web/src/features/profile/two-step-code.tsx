import * as v from 'valibot'
import { type FieldOf, useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { codeOf, showFactor } from '#lib/supabase/show-factor.ts'
import { TextField } from '#ui/text-field.tsx'
import { SheetForm } from './sheet-form.tsx'
import { ownFactors } from './two-step.ts'

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

type TwoStepCodeProps = { saveLabel: string; isDestructive: boolean; onShown: () => Promise<void> }

/** Asks for a code, because the last one is too old for what was asked. */
export function TwoStepCode({ saveLabel, isDestructive, onShown }: TwoStepCodeProps) {
  const form = useSendingForm({
    schema: codeSchema,
    defaultValues: { code: '' },
    send: async ({ code }) => {
      const answer = await showFactor(await ownFactors(), codeOf(code))
      if (!answer.error) await onShown()
      return answer
    },
    refusal: (message) => m.profile_two_step_code_failed({ message }),
    isQuick: true,
  })
  return (
    <SheetForm
      form={form}
      saveLabel={saveLabel}
      busyText={m.profile_two_step_checking()}
      isDestructive={isDestructive}
      isFleeting
    >
      <p className="text-muted">{m.profile_two_step_code_first()}</p>
      <CodeField field={form.field} />
    </SheetForm>
  )
}
