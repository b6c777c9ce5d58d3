import { useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { useLiveTopic } from '#data/live/use-live-topic.ts'
import { formatClockTime } from '#domain/clock-time.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { Card } from '#ui/card.tsx'
import { classNames } from '#ui/class-names.ts'
import { FigureLink } from '#ui/figure-tile.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { RowList } from '#ui/row-list.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { dashboardQuery, userCountQuery, type DashboardFigures } from './dashboard-queries.ts'

const LIVE_TABLES = ['users', 'onboarding_progress', 'link_checks', 'invitations']

/** What an admin should do next, and the team in figures; each leads to what it counts. */
export function Dashboard() {
  useLiveTopic('admins', LIVE_TABLES)
  const { data: figures, error, refetch } = useQuery(dashboardQuery())
  return (
    <>
      {figures && <ToDo figures={figures} />}
      <Section title={m.dashboard_team()}>
        <div className="grid grid-cols-2 gap-2.5 lg:grid-cols-3 [&>:last-child:nth-child(3)]:max-lg:col-span-2">
          <TotalUsers />
          {figures && <Figures figures={figures} />}
        </div>
      </Section>
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

type Task = { to: string; name: string; count: number | null; isPressing?: boolean }

/** Only what there is to do; of links, also that nobody checks them (product.md P175). */
function ToDo({ figures }: { figures: DashboardFigures }) {
  const all: Task[] = [
    {
      to: '/admin/members?filter=waiting',
      name: m.dashboard_waiting(),
      count: figures.waiting,
      isPressing: true,
    },
    {
      to: '/admin/invitations?filter=bounced',
      name: m.dashboard_undelivered(),
      count: figures.undelivered_invitations,
      isPressing: true,
    },
    { to: '/admin/members?filter=stuck', name: m.dashboard_stuck(), count: figures.stuck },
    {
      to: '/admin-manage?type=notifications&show=unacknowledged',
      name: m.dashboard_unacknowledged(),
      count: figures.unacknowledged_notices,
    },
    {
      to: '/admin/links',
      name: m.dashboard_broken_links(),
      count: figures.broken_links,
      isPressing: true,
    },
  ]
  const tasks = all.filter(({ count }) => count !== 0)
  return (
    <Section title={m.dashboard_to_do()}>
      {tasks.length === 0 ? (
        <Card className="flex items-center gap-3 text-muted">
          <CircleCheck aria-hidden="true" className="size-5.5 flex-none text-success" />
          {m.dashboard_nothing_to_do()}
        </Card>
      ) : (
        <RowList>
          {tasks.map((task) => (
            <li key={task.to}>
              <TaskLink task={task} />
            </li>
          ))}
        </RowList>
      )}
    </Section>
  )
}

function TaskLink({ task: { to, name, count, isPressing } }: { task: Task }) {
  return (
    <Link to={to} className="flex min-h-13 items-center gap-3 px-4 py-2 transition hover:bg-tint">
      <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>{' '}
      {count === null ? (
        <span className="text-small text-muted">{m.dashboard_not_checked()}</span>
      ) : (
        <span
          className={classNames(
            'text-lead font-bold tabular-nums',
            isPressing && 'text-danger-text',
          )}
        >
          {formatCount(count)}
        </span>
      )}
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </Link>
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
  return (
    <>
      <FigureLink
        to="/admin/members?filter=new"
        label={m.dashboard_new()}
        figure={formatCount(figures.new_this_week)}
      />
      <FigureLink
        to="/admin-manage?type=schedule"
        label={m.dashboard_next_meeting()}
        isWords
        figure={figures.next_meeting_at ? shortMoment(figures.next_meeting_at) : m.dashboard_none()}
        detail={figures.next_meeting_title ?? undefined}
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
