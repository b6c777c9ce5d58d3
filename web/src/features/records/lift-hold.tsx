import { m } from '#lib/messages/messages.js'
import { Modal } from '#ui/modal.tsx'
import { showToast } from '#ui/toast-store.ts'
import { HoldReason } from './hold-reason.tsx'
import { heldName } from './hold-row.tsx'
import { liftHold, type Hold } from './records-queries.ts'

/** A sheet that ends a hold. */
export function LiftHold({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  return (
    <Modal
      open
      onClose={onClose}
      title={m.records_lift_title({ name: heldName(hold) })}
      description={m.records_lift_text()}
    >
      <HoldReason
        hint={m.records_reason_hint()}
        submitLabel={m.records_lift()}
        isDestructive
        change={(reason) => liftHold(hold.id, reason)}
        onDone={() => {
          showToast(m.records_was_lifted())
          onClose()
        }}
      />
    </Modal>
  )
}
