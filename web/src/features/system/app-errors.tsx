import { useQuery } from '@tanstack/react-query'
import { SettingChange } from '#domain/changed-by.tsx'
import { useTeamSwitch } from '#domain/team-switch.ts'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import type { ResultRow } from '#lib/supabase/database.ts'
import { messageOf } from '#lib/supabase/notify-error.ts'
import { Card } from '#ui/card.tsx'
import { Switch } from '#ui/switch.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { appErrorsQuery } from './app-error-queries.ts'
import { FoldSummary } from './finding-list.tsx'

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
  const { isOn, set } = useTeamSwitch('app_errors_enabled', {
    failed: m.system_app_collect_failed,
    alsoRefreshes: [['system_status']],
  })
  return (
    <>
      <Switch
        label={m.system_app_collect()}
        disabled={isOn === undefined}
        checked={isOn ?? false}
        onChange={(event) => set(event.target.checked)}
      />
      <p className="text-small text-muted">{m.system_app_collect_hint()}</p>
      <SettingChange setting="app_errors_enabled" />
    </>
  )
}

function ErrorList({ errors }: { errors: ResultRow<'app_error_list'>[] }) {
  return (
    <details className="group">
      <FoldSummary>{m.system_app_list()}</FoldSummary>
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
