import { SettingChange } from '#domain/changed-by.tsx'
import { useTeamSwitch } from '#domain/team-switch.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Switch } from '#ui/switch.tsx'
import { TextButton } from '#ui/text-button.tsx'

/** Whether admins need two-step verification (product.md P18). */
export function SecondFactorRule() {
  const { isOn, error, refetch, set } = useTeamSwitch('admins_need_second_factor', {
    failed: m.admin_two_step_failed,
  })
  return (
    <Card className="grid grid-cols-1 gap-1">
      {isOn === undefined && error ? (
        <p role="alert" className="text-small text-danger-text">
          {`${m.admin_error_two_step()}: ${messageOf(error)} `}
          <TextButton tone="danger" onClick={() => void refetch()}>
            {m.ui_try_again()}
          </TextButton>
        </p>
      ) : isOn === undefined ? (
        <Skeleton className="h-22" />
      ) : (
        <>
          <Switch
            label={m.admin_two_step()}
            checked={isOn}
            onChange={(event) => set(event.target.checked)}
          />
          <p className="text-small text-muted">{m.admin_two_step_hint()}</p>
          <SettingChange setting="admins_need_second_factor" />
        </>
      )}
    </Card>
  )
}
