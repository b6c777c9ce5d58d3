import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { showToast } from '#ui/toast-store.ts'
import { makeRecoveryCodes, turnOff } from './two-step.ts'

type Question = 'off' | 'codes'
type TwoStepOnProps = { onCodes: (codes: string[]) => void; onOff: () => void }

/** What a member with two-step verification may do about it. */
export function TwoStepOn({ onCodes, onOff }: TwoStepOnProps) {
  const [asked, setAsked] = useState<Question>()
  const [isBusy, setIsBusy] = useState(false)
  const isOff = asked === 'off'
  const left = useQuery({
    queryKey: ['recovery_codes', 'left'],
    queryFn: ({ signal }) => callFunction('recovery_codes_left', {}, signal),
    staleTime: 0,
  })

  async function act() {
    setIsBusy(true)
    try {
      if (isOff) await leave()
      else onCodes(await makeRecoveryCodes())
    } catch (error) {
      showError(isOff ? m.profile_two_step_off_failed() : m.profile_recovery_failed(), error)
    } finally {
      setIsBusy(false)
    }
  }

  async function leave() {
    await turnOff()
    showToast(m.profile_two_step_turned_off())
    onOff()
  }

  return (
    <>
      <p className="text-muted">{m.profile_two_step_is_on()}</p>
      {left.data !== undefined && (
        <p>
          {left.data === 0
            ? m.profile_recovery_none()
            : m.profile_recovery_left({ count: left.data })}
        </p>
      )}
      <Button variant="tint" size="lg" onClick={() => setAsked('codes')}>
        {m.profile_recovery_new()}
      </Button>
      <Button variant="danger-ghost" size="lg" onClick={() => setAsked('off')}>
        {m.profile_two_step_turn_off()}
      </Button>
      <ConfirmDialog
        open={asked !== undefined}
        title={isOff ? m.profile_two_step_off_title() : m.profile_recovery_new()}
        text={isOff ? m.profile_two_step_off_text() : m.profile_recovery_new_text()}
        confirmLabel={isOff ? m.profile_two_step_turn_off() : m.profile_recovery_make()}
        busyText={isBusy && m.ui_loading()}
        isDestructive={isOff}
        onConfirm={() => void act()}
        onCancel={() => setAsked(undefined)}
      />
    </>
  )
}
