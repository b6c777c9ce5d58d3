import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SettingChange } from '#domain/changed-by.tsx'
import { timeZoneLine, timeZoneName, timeZones } from '#domain/time-zones.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { showToast } from '#ui/toast-store.ts'
import { setTeamZone } from './admin-queries.ts'

type TeamTimeZoneProps = {
  zone: string
  /** Somebody has said that it is the right one. */
  isConfirmed: boolean
}

/** The team's time zone, which all schedule times are in (product.md P42). */
export function TeamTimeZone({ zone, isConfirmed }: TeamTimeZoneProps) {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<string>()
  const change = useMutation({
    mutationFn: setTeamZone,
    // The last of two quick choices must be stored last.
    scope: { id: 'team-zone' },
    onSuccess: () => showToast(m.admin_time_zone_saved()),
    onError: (error) => showError(m.admin_error_saving(), error),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['team_settings'] }),
        queryClient.invalidateQueries({ queryKey: ['setup_checklist'] }),
      ]),
  })
  return (
    <>
      <SelectField
        label={m.admin_team_time_zone()}
        hint={
          <>
            {m.admin_team_time_zone_hint()}
            <SettingChange setting="time_zone" />
          </>
        }
        value={chosen ?? (change.isPending ? change.variables : zone)}
        onChange={(event) => setChosen(event.target.value)}
        options={timeZones(zone).map((each) => ({ value: each, label: timeZoneLine(each) }))}
      />
      {!isConfirmed && (
        <Button
          variant="tint"
          className="mt-2.5"
          isWaiting={change.isPending}
          onClick={() => change.mutate(zone)}
        >
          {m.admin_time_zone_keep({ zone: timeZoneName(zone) })}
        </Button>
      )}
      <ConfirmDialog
        open={chosen !== undefined}
        title={m.admin_time_zone_title()}
        text={m.admin_time_zone_text({
          from: timeZoneName(zone),
          to: timeZoneName(chosen ?? zone),
        })}
        confirmLabel={m.admin_time_zone_confirm()}
        onCancel={() => setChosen(undefined)}
        onConfirm={() => {
          if (chosen) change.mutate(chosen)
          setChosen(undefined)
        }}
      />
    </>
  )
}
