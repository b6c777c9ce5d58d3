import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import { memberName } from '#domain/member-name.ts'
import { MemberPicker } from '#domain/member-picker.tsx'
import { PickerSheet } from '#domain/picker-sheet.tsx'
import { m } from '#lib/messages/messages.js'
import { newId } from '#lib/new-id.ts'
import { Button } from '#ui/button.tsx'
import { Modal } from '#ui/modal.tsx'
import { SegmentedControl } from '#ui/segmented-control.tsx'
import { showToast } from '#ui/toast-store.ts'
import { HoldReason } from './hold-reason.tsx'
import { findGroups, placeHold, type Hold } from './records-queries.ts'

/** What the hold is to be on. */
type Held = { id: string; name: string } | null

/** A sheet that places a hold on a member or a group. */
export function PlaceHold({ holds, onClose }: { holds: Hold[]; onClose: () => void }) {
  // Pressing twice, or again after a lost response, places one hold.
  const [holdId] = useState(() => newId())
  const [on, setOn] = useState<'member' | 'chat'>('member')
  const [member, setMember] = useState<Held>(null)
  const [group, setGroup] = useState<Held>(null)
  const [isPicking, setIsPicking] = useState(false)
  const held = on === 'member' ? member : group
  const others = holds.filter(
    (hold) => held && !hold.lifted_at && (hold.member_id ?? hold.chat_id) === held.id,
  )
  const stopPicking = () => setIsPicking(false)

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
        missing={held ? undefined : m.records_target_missing()}
        change={async (reason) => {
          if (!held) return
          await placeHold(
            holdId,
            reason,
            on === 'member' ? { memberId: held.id } : { chatId: held.id },
          )
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
        <Button variant="tint" onClick={() => setIsPicking(true)}>
          <span className="min-w-0 wrap-anywhere">
            {held?.name ?? (on === 'member' ? m.records_pick_member() : m.records_pick_chat())}
          </span>
        </Button>
        {others.map((hold) => (
          <p key={hold.id} className="text-note wrap-anywhere text-muted">
            {m.records_held_already({ reason: hold.reason })}
          </p>
        ))}
      </HoldReason>
      {isPicking &&
        (on === 'member' ? (
          <MemberPicker
            title={m.records_pick_member()}
            filter="all"
            onPick={(picked) => {
              setMember(picked && { id: picked.id, name: memberName(picked) })
              stopPicking()
            }}
            onClose={stopPicking}
          />
        ) : (
          <PickerSheet
            title={m.records_pick_chat()}
            description={m.records_chat_hint()}
            searchLabel={m.records_group_search()}
            icon={<MessagesSquare />}
            none={m.records_no_groups()}
            queryKey={['chats', 'groups']}
            find={findGroups}
            onPick={setGroup}
            onClose={stopPicking}
          />
        ))}
    </Modal>
  )
}
