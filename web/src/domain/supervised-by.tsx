import { useQuery } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import { READS_OFFLINE, readCopyFirst } from '#data/kept/offline-copy.ts'
import { useUserId } from '#data/session/session.ts'
import { formatList } from '#lib/i18n/format-list.ts'
import { m } from '#lib/messages/messages.js'
import { memberName } from './member-name.ts'

/** The names of who supervises the team, the reader last; keeps its line while it loads. */
export function SupervisorNames() {
  const userId = useUserId()
  const { data: reading, error } = useQuery({
    ...READS_OFFLINE,
    queryKey: ['users', 'supervisor names'],
    queryFn: () => readCopyFirst('supervisors', () => callFunction('supervisors')),
  })
  if (!reading) return error ? m.app_unknown_for_now() : '\u00a0'
  const supervisors = reading.data
  if (supervisors.length === 0) return m.app_supervised_by_nobody()
  const names = supervisors.filter(({ id }) => id !== userId).map(memberName)
  if (names.length < supervisors.length) names.push(m.app_supervised_by_you())
  return formatList(names)
}
