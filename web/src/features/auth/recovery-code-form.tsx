import * as v from 'valibot'
import { callFunction } from '#data/call-function.ts'
import { auth } from '#data/session/auth.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast-store.ts'

const schema = v.object({
  code: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => m.auth_recovery_empty()),
  ),
})

/** Stands in for the authenticator app once. */
export function RecoveryCodeForm() {
  const form = useSendingForm({
    schema,
    defaultValues: { code: '' },
    send: redeemRecoveryCode,
    refusal: (message) => m.auth_code_failed({ message }),
    isQuick: true,
  })
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <TextField
        label={m.auth_recovery_label()}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        autoFocus
        {...form.field('code')}
      />
      <FormError text={form.error} />
      <Button type="submit" size="lg" busyText={form.isBusy && m.auth_code_checking()}>
        {m.auth_continue()}
      </Button>
    </form>
  )
}

async function redeemRecoveryCode({ code }: { code: string }) {
  const result = await callFunction('use_recovery_code', { code }).then(
    (token) => ({ token, error: null }),
    (error: unknown) => ({ token: null, error }),
  )
  if (result.error) return result
  if (!result.token) return { error: { message: m.auth_recovery_wrong() } }
  // The code is used up and the session raised. Its earlier refresh tokens, of which somebody may have a copy, are worth nothing.
  const { error } = await (await auth()).refreshSession({ refresh_token: result.token })
  if (error) return { error }
  const left = await callFunction('recovery_codes_left').catch(() => null)
  if (left !== null) showToast(m.auth_recovery_left({ count: left }))
  return { error: null }
}
