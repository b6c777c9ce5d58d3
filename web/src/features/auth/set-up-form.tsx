import { database } from '#data/supabase.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/form-error.tsx'
import { TextField } from '#ui/text-field.tsx'
import { setUpSchema } from './account-schemas.ts'

/** For the team's first admin: the code that its server printed. */
export function SetUpForm({ onDone }: { onDone: () => void }) {
  const form = useSendingForm({
    schema: setUpSchema,
    defaultValues: { code: '' },
    send: ({ code }) => claimTeam(code),
    refusal: (message) => m.auth_set_up_failed({ message }),
    onSuccess: onDone,
    isQuick: true,
  })
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <TextField
        label={m.auth_set_up_label()}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        {...form.field('code')}
      />
      <FormError text={form.error} />
      <Button type="submit" size="lg" busyText={form.isBusy && m.auth_code_checking()}>
        {m.auth_set_up_claim()}
      </Button>
    </form>
  )
}

async function claimTeam(code: string) {
  const { data, error } = await database.rpc('claim_team', { code })
  if (error) return { error }
  return { error: data ? null : { message: m.auth_set_up_wrong() } }
}
