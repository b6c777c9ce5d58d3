import { Scale } from 'lucide-react'
import { useState } from 'react'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Modal } from '#ui/modal.tsx'
import { RowList } from '#ui/row-list.tsx'
import { showToast } from '#ui/toast-store.ts'
import { HoldReason } from './hold-reason.tsx'
import { HoldRow, heldName } from './hold-row.tsx'
import { PlaceHold } from './place-hold.tsx'
import { type Hold, liftHold } from './records-queries.ts'

/** The legal holds, with a button to place one and to lift each. */
export function HoldList({ holds }: { holds: Hold[] }) {
  const [isPlacing, setIsPlacing] = useState(false)
  const [lifting, setLifting] = useState<Hold>()
  const place = (
    <Button variant="tint" onClick={() => setIsPlacing(true)}>
      {m.records_place_hold()}
    </Button>
  )
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-heading font-bold">{m.records_holds()}</h2>
        {holds.length > 0 && place}
      </div>
      {holds.length === 0 && (
        <EmptyState
          picture={<Scale />}
          title={m.records_no_holds()}
          text={m.records_no_holds_text()}
          action={place}
        />
      )}
      {holds.length > 0 && (
        <RowList>
          {holds.map((hold) => (
            <li key={hold.id}>
              <HoldRow hold={hold} onLift={() => setLifting(hold)} />
            </li>
          ))}
        </RowList>
      )}
      {isPlacing && <PlaceHold holds={holds} onClose={() => setIsPlacing(false)} />}
      {lifting && <LiftHold hold={lifting} onClose={() => setLifting(undefined)} />}
    </section>
  )
}

/** A sheet that ends a hold. */
function LiftHold({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  return (
    <Modal
      open
      onClose={onClose}
      title={m.records_lift_title({ name: heldName(hold) })}
      description={m.records_lift_text()}
    >
      <HoldReason
        hint={m.records_lift_hint()}
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
