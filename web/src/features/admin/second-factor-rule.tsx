import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SettingChange } from '#domain/changed-by.tsx'
import { m } from '#lib/messages/messages.js'
import { messageOf, showError } from '#lib/supabase/notify-error.ts'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Switch } from '#ui/switch.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { secondFactorRuleQuery, setSecondFactorRule } from './second-factor-queries.ts'

/** Whether admins need two-step verification (product.md P18). */
export function SecondFactorRule() {
  const queryClient = useQueryClient()
  const { data: isOn, error, refetch } = useQuery(secondFactorRuleQuery())
  const change = useMutation({
    mutationFn: setSecondFactorRule,
    // The last of two quick choices must be stored last.
    scope: { id: 'second-factor-rule' },
    onError: (failure) => showError(m.admin_two_step_failed(), failure),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['team_settings'] }),
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
            checked={change.isPending ? change.variables : isOn}
            onChange={(event) => change.mutate(event.target.checked)}
          />
          <p className="text-small text-muted">{m.admin_two_step_hint()}</p>
          <SettingChange setting="admins_need_second_factor" />
        </>
      )}
    </Card>
  )
}
