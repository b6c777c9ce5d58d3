import { answerProof } from '#data/session/proof.ts'
import { verifiedFactors } from '#data/session/second-factor.ts'
import { useSession } from '#data/session/session.ts'
import { codeOf, showFactor } from '#data/session/show-factor.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { Modal } from '#ui/modal.tsx'
import { inWords } from './account-changes.ts'
import { CodeField, codeSchema } from './code-field.tsx'
import { OwnPassword } from './own-password.tsx'
import { proofSchema } from './profile-schemas.ts'
import { SheetForm } from './sheet-form.tsx'
import { ownFactors, signInAgain } from './two-step.ts'

/**
 * Asks for the password, or for a code where there is an authenticator app, before something that a stolen session must not
 * do. What the member was about to do goes on once it is right.
 */
export function ProofModal({ onClose }: { onClose: () => void }) {
  const session = useSession()
  if (session.status !== 'signed-in') return null
  const isProtected = verifiedFactors(session.session).length > 0
  return (
    <Modal open focusesField title={m.profile_prove_title()} onClose={onClose}>
      {isProtected ? <CodeProof /> : <PasswordProof email={session.session.user.email ?? ''} />}
    </Modal>
  )
}

function PasswordProof({ email }: { email: string }) {
  const form = useSendingForm({
    schema: proofSchema,
    defaultValues: { password: '' },
    send: async ({ password }) => {
      const error = await signInAgain({ email, password })
      return { error: error && inWords(error) }
    },
    refusal: (message) => m.profile_prove_failed({ message }),
    onSuccess: () => answerProof(true),
    isQuick: true,
  })
  return (
    <SheetForm
      form={form}
      saveLabel={m.profile_prove()}
      busyText={m.profile_two_step_checking()}
      isFleeting
    >
      <p className="text-muted">{m.profile_prove_password()}</p>
      <OwnPassword
        email={email}
        field={form.field('password')}
        onForgotten={() => answerProof(false)}
      />
    </SheetForm>
  )
}

function CodeProof() {
  const form = useSendingForm({
    schema: codeSchema,
    defaultValues: { code: '' },
    send: async ({ code }) => showFactor(await ownFactors(), codeOf(code)),
    refusal: (message) => m.profile_prove_failed({ message }),
    onSuccess: () => answerProof(true),
    isQuick: true,
  })
  return (
    <SheetForm
      form={form}
      saveLabel={m.profile_prove()}
      busyText={m.profile_two_step_checking()}
      isFleeting
    >
      <p className="text-muted">{m.profile_prove_code()}</p>
      <CodeField field={form.field} />
    </SheetForm>
  )
}
