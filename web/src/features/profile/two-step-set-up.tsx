import { Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { codeOf } from '#data/session/show-factor.ts'
import { useSendingForm } from '#lib/forms/use-sending-form.ts'
import { m } from '#lib/messages/messages.js'
import { Button, buttonLook } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { QrPicture } from '#ui/qr-picture.tsx'
import { SheetForm } from './sheet-form.tsx'
import { CodeField, codeSchema } from './code-field.tsx'
import { inGroups, verifySetUp, type SetUp } from './two-step.ts'

type TwoStepSetUpProps = {
  setUp: SetUp
  onVerified: () => Promise<void>
  /** The set-up has to start over. */
  onOver: (reason: string) => void
}

/** The QR code, the key for those who cannot scan it, and the first code. */
export function TwoStepSetUp({ setUp, onVerified, onOver }: TwoStepSetUpProps) {
  const start = useRef<HTMLParagraphElement>(null)
  // The button that led here is gone, and the sheet may be scrolled down.
  useEffect(() => start.current?.focus(), [])
  const form = useSendingForm({
    schema: codeSchema,
    defaultValues: { code: '' },
    send: async ({ code }) => {
      const { error, isOver } = await verifySetUp(setUp, codeOf(code))
      if (isOver) onOver(error.message)
      if (!error) await onVerified()
      return { error }
    },
    refusal: (message) => m.profile_two_step_not_on({ message }),
    isQuick: true,
  })
  return (
    <SheetForm
      form={form}
      saveLabel={m.profile_two_step_turn_on()}
      busyText={m.profile_two_step_checking()}
      isFleeting
    >
      <p ref={start} tabIndex={-1} className="text-muted focus:outline-0">
        {m.profile_two_step_scan()}
      </p>
      <QrPicture src={setUp.qrCode} label={m.profile_two_step_qr()} />
      {/* A phone cannot scan its own screen. */}
      <a href={setUp.uri} className={buttonLook('plain')}>
        {m.profile_two_step_open_app()}
      </a>
      <div className="grid gap-1.5">
        <p className="text-small text-muted">{m.profile_two_step_key()}</p>
        <div className="flex flex-wrap items-center gap-2">
          <code
            translate="no"
            className="min-w-0 flex-1 basis-44 rounded-field bg-surface px-3.5 py-3 text-small"
          >
            {inGroups(setUp.secret)}
          </code>
          <Button
            variant="tint"
            size="sm"
            aria-label={m.profile_two_step_copy_key()}
            onClick={() => void copyText(setUp.secret, m.profile_two_step_key_copied())}
          >
            <Copy aria-hidden="true" className="size-4.5" />
            {m.profile_two_step_copy()}
          </Button>
        </div>
      </div>
      <CodeField field={form.field} />
    </SheetForm>
  )
}
