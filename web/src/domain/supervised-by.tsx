import { useQuery } from '@tanstack/react-query'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { callFunction } from '#lib/supabase/call-function.ts'
import { useUserId } from '#lib/supabase/session.ts'
import { memberName } from './member-name.ts'

/** The names of who supervises the team, the reader last; keeps its line while it loads. */
export function SupervisorNames() {
  const userId = useUserId()
  const { data } = useQuery({
    queryKey: ['users', 'supervisors'],
    queryFn: ({ signal }) => callFunction('supervisors', {}, signal),
  })
  if (!data) return '\u00a0'
  if (data.length === 0) return m.app_supervised_by_nobody()
  const names = data.filter(({ id }) => id !== userId).map(memberName)
  if (names.length < data.length) names.push(m.app_supervised_by_you())
  return new Intl.ListFormat(formatLocale(), { type: 'conjunction' }).format(names)
}
