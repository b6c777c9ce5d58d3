import { useQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import {
  markReportsSeen,
  myReportsQuery,
  outcomeWords,
  REPORT_REASONS,
  type Report,
} from '#domain/reports.ts'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'

/** What the member reported, and what became of it. */
export function ReportsScreen() {
  const { data: reports, error, refetch } = useQuery(myReportsQuery(useUserId()))
  const hasNews = reports?.some(({ is_unread }) => is_unread) ?? false
  useEffect(() => {
    // Silent on purpose: the badge stays until the next look.
    if (hasNews) markReportsSeen().catch((thrown: unknown) => console.warn(thrown))
  }, [hasNews])
  return (
    <Screen wide header={<PageHeader title={m.safety_your_reports()} back="/profile" />}>
      {!reports && error && (
        <LoadError
          error={error}
          describe={(message) => m.safety_load_failed({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {!reports && !error && <SkeletonCards className="h-32" />}
      {reports?.length === 0 && (
        <EmptyState
          picture={<Flag />}
          title={m.safety_no_reports()}
          text={m.safety_no_reports_text()}
          action={
            <Link to="/profile" replace className={buttonLook('tint')}>
              {m.profile_title()}
            </Link>
          }
        />
      )}
      {reports && reports.length > 0 && (
        <ul className="grid grid-cols-1 items-start gap-stack lg:grid-cols-2">
          {reports.map((report) => (
            <li key={report.id}>
              <ReportCard report={report} />
            </li>
          ))}
        </ul>
      )}
    </Screen>
  )
}

function ReportCard({ report }: { report: Report }) {
  const { member_name: name, created_at, closed_at, is_unread } = report
  return (
    <Card className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-semibold break-words">
          {report.message_id ? m.safety_reported_message({ name }) : name}
        </h2>
        {is_unread && <Chip>{m.notifications_new()}</Chip>}
      </div>
      <p className="text-small text-muted">
        {REPORT_REASONS[report.reason]()} ·{' '}
        <time dateTime={created_at}>{formatMoment(created_at)}</time>
      </p>
      {report.message && (
        <p className="border-l-3 border-line pl-3 text-small wrap-anywhere">{report.message}</p>
      )}
      {report.note && <p className="text-small wrap-anywhere">{report.note}</p>}
      <p className="font-medium">{outcomeWords(report.outcome)}</p>
      {closed_at && (
        <p className="text-note text-muted">
          <time dateTime={closed_at}>{formatMoment(closed_at)}</time>
        </p>
      )}
    </Card>
  )
}
