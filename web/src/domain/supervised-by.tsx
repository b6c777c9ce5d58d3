import { useQuery } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { keptOnDevice } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { formatList } from '#lib/i18n/format-list.ts'
import { m } from '#lib/messages/messages.js'
import { memberName } from './member-name.ts'

/** The names of who supervises the team, the reader last; keeps its line while it loads. */
export function SupervisorNames() {
  const userId = useUserId()
  const { data: supervisors, error } = useQuery({
    ...keptOnDevice(),
    queryKey: ['users', 'supervisor names'],
    queryFn: () => callFunction('supervisors'),
  })
  if (!supervisors) return error ? m.app_unknown_for_now() : '\u00a0'
  if (supervisors.length === 0) return m.app_supervised_by_nobody()
  const names = supervisors.filter(({ id }) => id !== userId).map(memberName)
  if (names.length < supervisors.length) names.push(m.app_supervised_by_you())
  return formatList(names)
}
