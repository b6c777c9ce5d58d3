import { useQuery } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { useUserId } from '#data/session/session.ts'
import { memberName } from '#domain/member-name.ts'
import { m } from '#lib/messages/messages.js'
import { SelectField } from '#ui/select-field.tsx'
import { supervisorsQuery, type ReviewItem } from './supervision-queries.ts'
import { useSupervisionChange } from './use-supervision-change.ts'

/** Who of the supervisors takes care of it. */
export function Assignment({ item }: { item: ReviewItem }) {
  const { data: supervisors = [] } = useQuery(supervisorsQuery())
  const userId = useUserId()
  const nameOf = (id: string) => {
    const one = supervisors.find((supervisor) => supervisor.id === id)
    return one ? memberName(one) : ''
  }
  const assign = useSupervisionChange(
    (assignee: string) =>
      callFunction('assign_review_item', {
        item_id: item.id,
        assignee: assignee || null,
        if_version: item.version,
      }),
    (assignee) => {
      if (assignee === userId) return m.supervision_was_taken()
      return assignee
        ? m.supervision_was_assigned({ member: nameOf(assignee) })
        : m.supervision_was_given_back()
    },
  )
  return (
    <SelectField
      label={m.supervision_assignee()}
      value={assign.isPending ? assign.variables : (item.assigned_to ?? '')}
      onChange={(event) => {
        if (!assign.isPending) assign.mutate(event.target.value)
      }}
      options={[
        { value: '', label: m.supervision_anybody() },
        ...supervisors
          .filter(({ id }) => id !== item.member_id)
          .map((one) => ({ value: one.id, label: memberName(one) })),
      ]}
    />
  )
}
