import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { memberName } from '#domain/member-name.ts'
import { MemberPicker, type PickedMember } from '#domain/member-picker.tsx'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { HoldReason } from './hold-reason.tsx'
import { ownGroupsQuery, placeHold } from './records-queries.ts'

/** A sheet that places a hold on a member, or on a group that the admin is in. */
export function PlaceHold({ onClose }: { onClose: () => void }) {
  // Pressing twice, or again after a lost response, places one hold.
  const [holdId] = useState(() => newId())
  const [on, setOn] = useState<'member' | 'chat'>('member')
  const [member, setMember] = useState<PickedMember | null>(null)
  const [chatId, setChatId] = useState('')
  const [isPicking, setIsPicking] = useState(false)
  const groups = useQuery({ ...ownGroupsQuery(), enabled: on === 'chat' })
  const target =
    on === 'member' ? member && { memberId: member.id } : chatId === '' ? null : { chatId }

  return (
    <Modal
      open
      onClose={onClose}
      title={m.records_place_hold()}
      description={m.records_hold_text()}
    >
      <HoldReason
        hint={m.records_reason_hint()}
        submitLabel={m.records_place_hold()}
        missing={target ? undefined : m.records_target_missing()}
        change={async (reason) => {
          if (target) await placeHold(holdId, reason, target)
        }}
        onDone={() => {
          showToast(m.records_was_placed())
          onClose()
        }}
      >
        <SegmentedControl
          label={m.records_hold_on()}
          options={[
            { value: 'member', label: m.records_on_member() },
            { value: 'chat', label: m.records_on_chat() },
          ]}
          value={on}
          onChange={setOn}
        />
        {on === 'member' ? (
          <Button variant="tint" onClick={() => setIsPicking(true)}>
            {member ? memberName(member) : m.records_pick_member()}
          </Button>
        ) : (
          <SelectField
            label={m.records_on_chat()}
            hint={m.records_chat_hint()}
            value={chatId}
            onChange={(event) => setChatId(event.target.value)}
            options={[
              { value: '', label: m.records_pick_chat() },
              ...(groups.data ?? []).map(({ id, title }) => ({ value: id, label: title })),
            ]}
          />
        )}
      </HoldReason>
      {isPicking && (
        <MemberPicker
          title={m.records_pick_member()}
          filter="all"
          onPick={(picked) => {
            setMember(picked)
            setIsPicking(false)
          }}
          onClose={() => setIsPicking(false)}
        />
      )}
    </Modal>
  )
}
