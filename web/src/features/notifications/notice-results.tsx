import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { memberName } from '#domain/member-name.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { noticeResultsQuery, notAcknowledgedQuery, type Notice } from './notice-queries.ts'
import { RemindButton } from './remind-button.tsx'

/** What recipients did with a notice; who has not acknowledged it can be listed and reminded. `children`: further actions. */
export function NoticeResults({ notice, children }: { notice: Notice; children: ReactNode }) {
  const { data, error } = useQuery(noticeResultsQuery(notice))
  const [isListing, setIsListing] = useState(false)
  if (error && !data) {
    return (
      <>
        <Failed text={m.notifications_error_results()} error={error} />
        {children}
      </>
    )
  }
  const figures = [
    [m.notifications_result_recipients(), data?.recipients],
    [m.notifications_result_sent(), data?.sent],
    [m.notifications_result_shown(), data?.shown],
    [m.notifications_result_opened(), data?.opened],
    [m.notifications_result_failed(), data && data.failed + data.uncertain],
    ...(notice.must_acknowledge
      ? [[m.notifications_result_acknowledged(), data?.acknowledged] as const]
      : []),
  ] as const
  const missing = data && notice.must_acknowledge ? data.recipients - data.acknowledged : 0
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-2 text-center">
        {figures.map(([label, figure]) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-note wrap-anywhere text-muted">{label}</dt>
            <dd className="text-lead font-bold tabular-nums">
              {figure === undefined ? (
                <Skeleton className="mx-auto h-lh w-6" />
              ) : (
                formatCount(figure)
              )}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {missing > 0 && (
          <>
            <Button
              size="sm"
              variant="ghost"
              aria-expanded={isListing}
              onClick={() => setIsListing(!isListing)}
            >
              {m.notifications_who_has_not({ count: formatCount(missing) })}
            </Button>
            {!notice.cancelled_at && <RemindButton noticeId={notice.id} />}
          </>
        )}
        {children}
      </div>
      {isListing && missing > 0 && <WhoHasNot noticeId={notice.id} total={missing} />}
    </>
  )
}

function WhoHasNot({ noticeId, total }: { noticeId: string; total: number }) {
  const query = useInfiniteQuery(notAcknowledgedQuery(noticeId))
  const people = query.data?.pages.flat() ?? []
  return (
    <>
      <ul className="grid grid-cols-1 gap-1 text-small wrap-anywhere">
        {people.map((person) => (
          <li key={person.id}>{memberName(person)}</li>
        ))}
      </ul>
      {query.error && <Failed text={m.notifications_error_results()} error={query.error} />}
      <ShowMorePages query={query} shown={people.length} total={total} />
    </>
  )
}

function Failed({ text, error }: { text: string; error: Error }) {
  return (
    <p role="alert" className="text-note text-danger-text">
      {`${text}: ${messageOf(error)}`}
    </p>
  )
}
