import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/supabase/notify-error.ts'
import { verifiedFactors } from '#lib/supabase/second-factor.ts'
import { useSession } from '#lib/supabase/session.ts'
import { Button } from '#ui/button.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoStepOn } from './two-step-on.tsx'
import { TwoStepSetUp } from './two-step-set-up.tsx'
import { beginSetUp, makeRecoveryCodes, type SetUp } from './two-step.ts'

type Step =
  | { step: 'start' }
  | { step: 'beginning' }
  | { step: 'set-up'; setUp: SetUp }
  | { step: 'codes'; codes: string[] }

/** Two-step verification: on, off, and the recovery codes. */
export function TwoStepSheet({ onDone }: { onDone: () => void }) {
  const session = useSession()
  const isOn = session.status === 'signed-in' && verifiedFactors(session.session).length > 0
  const [step, setStep] = useState<Step>({ step: 'start' })

  async function begin() {
    setStep({ step: 'beginning' })
    try {
      setStep({ step: 'set-up', setUp: await beginSetUp() })
    } catch (error) {
      setStep({ step: 'start' })
      showError(m.profile_two_step_failed(), error)
    }
  }

  /** It is on already; without codes the sheet offers to make them again. */
  async function showCodes() {
    try {
      setStep({ step: 'codes', codes: await makeRecoveryCodes() })
    } catch (error) {
      setStep({ step: 'start' })
      showError(m.profile_recovery_failed(), error)
    }
  }

  if (step.step === 'codes') return <RecoveryCodes codes={step.codes} onDone={onDone} />
  if (step.step === 'set-up') return <TwoStepSetUp setUp={step.setUp} onVerified={showCodes} />
  if (isOn) return <TwoStepOn onNewCodes={showCodes} onOff={onDone} />
  return (
    <>
      <p className="text-muted">{m.profile_two_step_text()}</p>
      <Button
        size="lg"
        busyText={step.step === 'beginning' && m.ui_loading()}
        onClick={() => void begin()}
      >
        {m.profile_two_step_turn_on()}
      </Button>
    </>
  )
}
