import { useState } from 'react'
import { verifiedFactors } from '#data/session/second-factor.ts'
import { useSession } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoStepOn } from './two-step-on.tsx'
import { TwoStepSetUp } from './two-step-set-up.tsx'
import { TwoStepStart } from './two-step-start.tsx'
import { makeRecoveryCodes, type SetUp } from './two-step.ts'

type Step =
  | { step: 'start'; reason?: string }
  | { step: 'set-up'; setUp: SetUp }
  | { step: 'codes'; codes: string[] }

type TwoStepSheetProps = { email: string; onDone: () => void }

/** Two-step verification: on, off, and the recovery codes. */
export function TwoStepSheet({ email, onDone }: TwoStepSheetProps) {
  const session = useSession()
  const isOn = session.status === 'signed-in' && verifiedFactors(session.session).length > 0
  const [step, setStep] = useState<Step>({ step: 'start' })

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
  if (step.step === 'set-up')
    return (
      <TwoStepSetUp
        setUp={step.setUp}
        onVerified={showCodes}
        onOver={(reason) => setStep({ step: 'start', reason })}
      />
    )
  if (isOn)
    return <TwoStepOn onCodes={(codes) => setStep({ step: 'codes', codes })} onOff={onDone} />
  return (
    <TwoStepStart
      email={email}
      reason={step.reason}
      onBegun={(setUp) => setStep({ step: 'set-up', setUp })}
    />
  )
}
