import { useQuery } from '@tanstack/react-query'
import { formatClockTime } from '#domain/clock-time.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { useLiveTopic } from '#lib/live/use-live-topic.ts'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { FigureLink, FIGURES_LOOK } from '#ui/figure-tile.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { dashboardQuery, userCountQuery, type DashboardFigures } from './dashboard-queries.ts'

const LIVE_TABLES = ['users', 'onboarding_progress', 'link_checks', 'invitations']

/** The team in figures, each leading to what it counts. */
export function Dashboard() {
  useLiveTopic('admins', LIVE_TABLES)
  const { data: figures, error, refetch } = useQuery(dashboardQuery())
  return (
    <>
      <div className={FIGURES_LOOK}>
        <TotalUsers />
        {figures && <Figures figures={figures} />}
      </div>
      {!figures && error && (
        <Card>
          <LoadError
            error={error}
            describe={(message) => m.dashboard_error({ message })}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
    </>
  )
}

/** A count that fails to load shows "Error" in its place and nothing else (product.md P134). */
function TotalUsers() {
  const { data, error } = useQuery(userCountQuery())
  const figure = data === undefined ? error && m.admin_error() : formatCount(data)
  return (
    <FigureLink
      to="/admin/members"
      label={m.admin_total_users()}
      figure={<span aria-live="polite">{figure ?? <Skeleton className="h-7.5 w-16" />}</span>}
    />
  )
}

function Figures({ figures }: { figures: DashboardFigures }) {
  const { waiting, new_this_week, stuck, unacknowledged_notices, broken_links } = figures
  const { undelivered_invitations } = figures
  return (
    <>
      <FigureLink
        to="/admin/members?filter=waiting"
        label={m.dashboard_waiting()}
        figure={formatCount(waiting)}
        isPressing={waiting > 0}
      />
      {undelivered_invitations > 0 && (
        <FigureLink
          to="/admin/invitations?filter=bounced"
          label={m.dashboard_undelivered()}
          figure={formatCount(undelivered_invitations)}
          isPressing
        />
      )}
      <FigureLink
        to="/admin/members?filter=new"
        label={m.dashboard_new()}
        figure={formatCount(new_this_week)}
      />
      <FigureLink
        to="/admin/members?filter=stuck"
        label={m.dashboard_stuck()}
        figure={formatCount(stuck)}
      />
      <FigureLink
        to="/admin-manage?type=notifications&show=unacknowledged"
        label={m.dashboard_unacknowledged()}
        figure={formatCount(unacknowledged_notices)}
      />
      <FigureLink
        to="/admin-manage?type=schedule"
        label={m.dashboard_next_meeting()}
        isWords
        figure={figures.next_meeting_at ? shortMoment(figures.next_meeting_at) : m.dashboard_none()}
        detail={figures.next_meeting_title ?? undefined}
      />
      <FigureLink
        to="/admin/links"
        label={m.dashboard_broken_links()}
        isWords={broken_links === null}
        figure={broken_links === null ? m.dashboard_not_checked() : formatCount(broken_links)}
        isPressing={Boolean(broken_links)}
      />
    </>
  )
}

/** "Tue 7:00 PM" in the viewer's own time. */
function shortMoment(at: string): string {
  const moment = Date.parse(at)
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const day = new Intl.DateTimeFormat(formatLocale(), { weekday: 'short', timeZone }).format(moment)
  return `${day} ${formatClockTime(moment, timeZone)}`
}
