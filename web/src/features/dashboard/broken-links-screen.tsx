import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Link2Off, Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { useLiveTopic } from '#data/live/use-live-topic.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { showToast } from '#ui/toast-store.ts'
import {
  brokenLinksQuery,
  checkLinksAgain,
  dashboardQuery,
  type BrokenLink,
} from './dashboard-queries.ts'

const LIVE_TABLES = ['link_checks']

const TYPES: Record<BrokenLink['content_type'], () => string> = {
  home: m.admin_home_screen,
  training: m.admin_training_content,
  newrepstart: m.admin_new_rep_start,
  licensing: m.admin_licensing,
  schedule: m.admin_schedule,
}

/** Content whose link leads nowhere, each with the way to correct it. */
export function BrokenLinksScreen() {
  useLiveTopic('admins', LIVE_TABLES)
  const { data: links, error, refetch } = useQuery(brokenLinksQuery())
  const figures = useQuery(dashboardQuery())
  const isReady = links !== undefined && figures.isFetched
  const isChecked = figures.data?.broken_links !== null
  return (
    <Screen wide header={<PageHeader title={m.dashboard_broken_links()} back="/admin" />}>
      {!links && error && (
        <LoadError
          error={error}
          describe={(message) => m.dashboard_links_error({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {!error && !isReady && <SkeletonCards className="h-32" />}
      {isReady && links.length === 0 && (
        <EmptyState
          picture={isChecked ? <Link2 /> : <Link2Off />}
          title={isChecked ? m.dashboard_no_broken() : m.dashboard_links_not_checked()}
          text={isChecked ? m.dashboard_no_broken_text() : m.dashboard_not_checked_text()}
          action={
            <Link to="/admin-manage?type=training" className={buttonLook('tint')}>
              {m.admin_training_content()}
            </Link>
          }
        />
      )}
      {isReady && links.length > 0 && (
        <>
          <CheckAgain />
          <ul className="grid grid-cols-1 gap-stack lg:grid-cols-2">
            {links.map((link) => (
              <li key={link.item_id}>
                <BrokenLinkCard link={link} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Screen>
  )
}

function BrokenLinkCard({ link }: { link: BrokenLink }) {
  const day = new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium' })
  const since = link.failing_since && day.format(new Date(link.failing_since))
  return (
    <Card className="grid h-full grid-cols-1 content-between gap-3">
      <div className="grid gap-1">
        <p className="text-note text-muted">{TYPES[link.content_type]()}</p>
        <h2 className="font-semibold wrap-anywhere">{link.title}</h2>
        <p className="text-small text-danger-text">
          {problemOf(link.problem)}
          {since && ` · ${m.dashboard_since({ day: since })}`}
        </p>
        <a
          href={link.url}
          target="_blank"
          rel="noopener noreferrer"
          className="flex min-h-target items-center text-small text-primary wrap-anywhere underline"
        >
          {link.url}
        </a>
      </div>
      <Link
        to={`/admin-manage?type=${link.content_type}&item=${link.item_id}`}
        aria-label={m.admin_edit({ title: link.title })}
        className={`${buttonLook('tint', 'sm')} justify-self-start`}
      >
        <Pencil aria-hidden="true" className="size-4" />
        {m.admin_edit_title()}
      </Link>
    </Card>
  )
}

function CheckAgain() {
  const queryClient = useQueryClient()
  const check = useMutation({
    mutationFn: checkLinksAgain,
    onSuccess: () => showToast(m.dashboard_checking()),
    onError: (error) => showError(m.dashboard_check_failed(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['link_checks'] }),
  })
  return (
    <Button
      variant="ghost"
      className="lg:self-start"
      isWaiting={check.isPending}
      onClick={() => check.mutate()}
    >
      {m.dashboard_check_again()}
    </Button>
  )
}

/** What the server found, in words. */
function problemOf(problem: string | null): string {
  if (problem === '404' || problem === '410') return m.dashboard_problem_gone()
  if (problem === 'host') return m.dashboard_problem_host()
  if (problem === 'certificate') return m.dashboard_problem_certificate()
  if (problem === 'redirects') return m.dashboard_problem_redirects()
  if (problem && /^\d+$/.test(problem)) return m.dashboard_problem_status({ status: problem })
  return m.dashboard_problem_silent()
}
