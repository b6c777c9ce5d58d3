import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { callFunction } from '#data/call-function.ts'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Modal } from '#ui/modal.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'

const SETTLE_MS = 250

export type Leader = { id: string; name: string }
type LeaderPickerProps = {
  title: string
  description: string
  onPick: (leader: Leader) => void
  onClose: () => void
}

/** A sheet to choose somebody of the team in, which closes itself. */
export function LeaderPicker({ title, description, onPick, onClose }: LeaderPickerProps) {
  const [typed, setTyped] = useState('')
  const query = useDebouncedValue(typed.trim(), SETTLE_MS)
  const { data: members } = useQuery({
    queryKey: ['users', 'leaders', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callFunction('search_members', { query, max_results: 30 }, signal),
  })
  return (
    <Modal open onClose={onClose} title={title} description={description}>
      <SearchField label={m.supervision_sampling_search()} value={typed} onChange={setTyped} />
      {/* The sheet keeps its place while the list changes. */}
      <div className="h-96 max-h-[50dvh] overflow-y-auto">
        {!members && <SkeletonRows />}
        {members?.length === 0 && <p className="p-4 text-muted">{m.members_none_found()}</p>}
        {members?.map((member) => (
          <RowButton
            key={member.id}
            icon={<UserRound />}
            label={memberName(member)}
            onClick={() => {
              onClose()
              onPick({ id: member.id, name: memberName(member) })
            }}
          />
        ))}
      </div>
    </Modal>
  )
}
