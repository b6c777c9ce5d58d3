import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { inWords } from './account-changes.ts'
import { OwnPassword } from './own-password.tsx'
import { proofSchema } from './profile-schemas.ts'
import { SheetForm } from './sheet-form.tsx'
import { beginSetUp, type SetUp } from './two-step.ts'

type TwoStepStartProps = {
  email: string
  /** Why the set-up has to start over. */
  reason: string | undefined
  onBegun: (setUp: SetUp) => void
}

/** Asks for the password, so that nobody else can lock the member out from an unattended phone. */
export function TwoStepStart({ email, reason, onBegun }: TwoStepStartProps) {
  const form = useSendingForm({
    schema: proofSchema,
    defaultValues: { password: '' },
    send: async ({ password }) => {
      const { error, setUp } = await beginSetUp({ email, password })
      if (setUp) onBegun(setUp)
      return { error: error && inWords(error) }
    },
    refusal: (message) => m.profile_two_step_failed({ message }),
    isQuick: true,
  })
  return (
    <SheetForm
      form={{ ...form, error: form.error ?? reason }}
      saveLabel={m.profile_two_step_continue()}
      busyText={m.ui_loading()}
      isFleeting
    >
      <p className="text-muted">{m.profile_two_step_text()}</p>
      <OwnPassword email={email} field={form.field('password')} />
    </SheetForm>
  )
}
