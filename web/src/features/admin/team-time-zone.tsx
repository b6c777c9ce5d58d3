import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { messageOf, showError } from '#lib/notify-error.ts'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { showToast } from '#ui/toast-store.ts'
import { setTeamZone, teamZoneQuery } from './admin-queries.ts'

/** The one zone in which all times of the schedule are written (reading 26). */
export function TeamTimeZone() {
  const queryClient = useQueryClient()
  const { data: zone, error, refetch } = useQuery(teamZoneQuery())
  const change = useMutation({
    mutationFn: setTeamZone,
    // The last of two quick choices is stored last.
    scope: { id: 'team-zone' },
    onSuccess: () => showToast(m.admin_time_zone_saved()),
    onError: (error) => showError(m.admin_error_saving(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['team_settings'] }),
  })
  if (!zone && error) {
    return (
      <p role="alert" className="text-small text-danger-text">
        {`${m.admin_error_time_zone()}: ${messageOf(error)} `}
        <TextButton tone="danger" onClick={() => void refetch()}>
          {m.ui_try_again()}
        </TextButton>
      </p>
    )
  }
  if (!zone) return <Skeleton className="h-24" />
  const zones = new Set([zone, ...Intl.supportedValuesOf('timeZone')])
  return (
    <SelectField
      label={m.admin_team_time_zone()}
      hint={m.admin_team_time_zone_hint()}
      value={change.isPending ? change.variables : zone}
      onChange={(event) => change.mutate(event.target.value)}
      options={[...zones].map((each) => ({ value: each, label: each.replaceAll('_', ' ') }))}
    />
  )
}
