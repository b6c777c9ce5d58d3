import type { Session } from '@supabase/auth-js'
import * as v from 'valibot'
import { verifiedFactors } from '#data/session/second-factor.ts'
import { codeOf, showFactor } from '#data/session/show-factor.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { TextField } from '#ui/text-field.tsx'

const schema = v.object({
  code: v.pipe(
    v.string(),
    v.check(
      (typed) => codeOf(typed).length === 6,
      () => m.auth_code_incomplete(),
    ),
  ),
})

/** The code of an authenticator app. The session it raises opens the page behind. */
export function CodeForm({ session }: { session: Session }) {
  const form = useSendingForm({
    schema,
    defaultValues: { code: '' },
    send: ({ code }) => showFactor(verifiedFactors(session), codeOf(code)),
    refusal: (message) => m.auth_code_failed({ message }),
    isQuick: true,
  })
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <TextField
        label={m.auth_code_label()}
        inputMode="numeric"
        autoComplete="one-time-code"
        // A code in two groups, as authenticator apps show it.
        maxLength={7}
        autoFocus
        className="text-center text-heading tracking-widest tabular-nums"
        {...form.field('code')}
      />
      <FormError text={form.error} />
      <Button type="submit" size="lg" busyText={form.isBusy && m.auth_code_checking()}>
        {m.auth_continue()}
      </Button>
    </form>
  )
}
