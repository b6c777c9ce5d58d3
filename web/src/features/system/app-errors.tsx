import { useQuery, queryOptions } from '@tanstack/react-query'
import { callFunction } from '#data/call-function.ts'
import type { ResultRow } from '#data/database.ts'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import { Card } from '#ui/card.tsx'
import { TextButton } from '#ui/text-button.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { FoldSummary } from './finding-list.tsx'

/** For admins: uncaught errors of the app on members' devices, the latest first. */
const appErrorsQuery = () =>
  queryOptions({
    queryKey: ['app_error_list'],
    queryFn: ({ signal }) => callFunction('app_error_list', {}, signal),
  })

/** Errors that members' devices reported. */
export function AppErrors() {
  const { data: errors, error, refetch } = useQuery(appErrorsQuery())
  return (
    <Card className="grid grid-cols-1 gap-1">
      <p className="text-small text-muted">
        {`${m.system_app_collect_where()} `}
        <TextLink to="/admin/settings">{m.admin_settings()}</TextLink>
      </p>
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
