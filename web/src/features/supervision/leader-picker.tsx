import { UserRound } from 'lucide-react'
import { callFunction } from '#data/call-function.ts'
import { memberName } from '#domain/member-name.ts'
import { PickerSheet, type Choice } from '#domain/picker-sheet.tsx'
import { m } from '#lib/messages/messages.js'

export type Leader = Choice
type LeaderPickerProps = {
  title: string
  description: string
  onPick: (leader: Leader) => void
  onClose: () => void
}

/** A sheet to choose somebody of the team in. */
export function LeaderPicker(props: LeaderPickerProps) {
  return (
    <PickerSheet
      {...props}
      searchLabel={m.supervision_sampling_search()}
      icon={<UserRound />}
      none={m.members_none_found()}
      queryKey={['users', 'leaders']}
      find={async (query, max_results, signal) => {
        const found = await callFunction('search_members', { query, max_results }, signal)
        return found.map((member) => ({ id: member.id, name: memberName(member) }))
      }}
    />
  )
}
