import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { SettingChange } from '#domain/changed-by.tsx'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import type { ResultRow } from '#lib/supabase/database.ts'
import { messageOf, showError } from '#lib/supabase/notify-error.ts'
import { Card } from '#ui/card.tsx'
import { Switch } from '#ui/switch.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { appErrorSettingQuery, appErrorsQuery, setAppErrors } from './app-error-queries.ts'

/** Errors that members' devices reported, and whether they do. */
export function AppErrors() {
  const { data: errors, error, refetch } = useQuery(appErrorsQuery())
  return (
    <Card className="grid grid-cols-1 gap-1">
      <AppErrorSetting />
      {!errors && error && (
        <p role="alert" className="text-small text-danger-text">
          {`${m.system_app_list_failed({ message: messageOf(error) })} `}
          <TextButton tone="danger" onClick={() => void refetch()}>
            {m.ui_try_again()}
          </TextButton>
        </p>
      )}
      {errors && errors.length > 0 && <ErrorList errors={errors} />}
    </Card>
  )
}

function AppErrorSetting() {
  const queryClient = useQueryClient()
  const { data: isOn } = useQuery(appErrorSettingQuery())
  const change = useMutation({
    mutationFn: setAppErrors,
    // The last of two quick choices must be stored last.
    scope: { id: 'app-errors' },
    onError: (failure) => showError(m.system_app_collect_failed(), failure),
    onSettled: () =>
      Promise.all(
        ['team_settings', 'system_status'].map((key) =>
          queryClient.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  })
  return (
    <>
      <Switch
        label={m.system_app_collect()}
        disabled={isOn === undefined}
        checked={change.isPending ? change.variables : (isOn ?? false)}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      <p className="text-small text-muted">{m.system_app_collect_hint()}</p>
      <SettingChange setting="app_errors_enabled" />
    </>
  )
}

function ErrorList({ errors }: { errors: ResultRow<'app_error_list'>[] }) {
  return (
    <details className="group">
      <summary className="flex min-h-target cursor-pointer items-center justify-between gap-3 font-semibold">
        {m.system_app_list()}
        <ChevronDown
          aria-hidden="true"
          className="size-5 flex-none text-muted transition group-open:rotate-180"
        />
      </summary>
      <ul className="grid grid-cols-1 gap-3 py-3">
        {errors.map(({ kind, places, screen, browser, reports, last_at }) => (
          <li key={[kind, ...places, screen, browser].join(' ')} className="text-small">
            <p className="font-semibold wrap-anywhere">{m.system_app_where({ kind, screen })}</p>
            <p className="text-muted">
              {`${browser}. ${m.system_app_reports({ count: reports, moment: formatMoment(last_at) })}`}
            </p>
            <p className="text-muted wrap-anywhere">{places.join(' · ')}</p>
          </li>
        ))}
      </ul>
    </details>
  )
}
