import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { memberName } from '#lib/member-name.ts'
import { formatLocale } from '#lib/format-locale.ts'
import { formatCount } from '#lib/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf, showError } from '#lib/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { showToast } from '#ui/toast-store.ts'
import { formatMoment } from './format-moment.ts'
import {
  noticeResultsQuery,
  notAcknowledgedQuery,
  remind,
  withdrawNotice,
  type Notice,
} from './notice-queries.ts'

/** One notice as its writer sees it: where it stands and what became of it. */
export function ManagedNotice({ notice }: { notice: Notice }) {
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => withdrawNotice(notice.id),
    onError: (error) => showError(m.notifications_error_saving(), error),
    onSettled: () => {
      setIsAsking(false)
      return queryClient.invalidateQueries({ queryKey: ['team_notices'] })
    },
  })
  return (
    <Card className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-semibold break-words">{notice.title}</h2>
        <Chip tone={notice.cancelled_at ? 'danger' : 'primary'}>{stateOf(notice)}</Chip>
        {notice.is_urgent && <Chip tone="danger">{m.notifications_urgent()}</Chip>}
      </div>
      {notice.body && <p className="break-words whitespace-pre-line">{notice.body}</p>}
      {notice.published_at && <Results notice={notice} />}
      {!notice.cancelled_at && (
        <Button
          size="sm"
          variant="danger-ghost"
          className="justify-self-start"
          onClick={() => setIsAsking(true)}
        >
          {m.notifications_withdraw()}
          <span className="sr-only"> {notice.title}</span>
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={m.notifications_withdraw()}
        text={m.notifications_withdraw_text({ title: notice.title })}
        confirmLabel={m.notifications_withdraw()}
        isDestructive
        busyText={withdraw.isPending && m.notifications_withdraw()}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => withdraw.mutate()}
      />
    </Card>
  )
}

function Results({ notice }: { notice: Notice }) {
  const { data, error } = useQuery(noticeResultsQuery(notice))
  const [isListing, setIsListing] = useState(false)
  if (!data) return error && <Failed text={m.notifications_error_results()} error={error} />
  const figures = [
    [m.notifications_result_recipients(), data.recipients],
    [m.notifications_result_sent(), data.sent],
    [m.notifications_result_shown(), data.shown],
    [m.notifications_result_opened(), data.opened],
    [m.notifications_result_failed(), data.failed + data.uncertain],
    ...(notice.must_acknowledge
      ? [[m.notifications_result_acknowledged(), data.acknowledged] as const]
      : []),
  ] as const
  const isMissing = notice.must_acknowledge && data.acknowledged < data.recipients
  return (
    <>
      <dl className="grid grid-cols-3 gap-2 text-center sm:grid-cols-6">
        {figures.map(([label, figure]) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-note text-muted">{label}</dt>
            <dd className="text-lead font-bold tabular-nums">{formatCount(figure)}</dd>
          </div>
        ))}
      </dl>
      {isMissing && (
        <>
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              variant="ghost"
              aria-expanded={isListing}
              onClick={() => setIsListing(!isListing)}
            >
              {m.notifications_who_has_not()}
            </Button>
            {!notice.cancelled_at && <Remind noticeId={notice.id} />}
          </div>
          {isListing && <WhoHasNot noticeId={notice.id} />}
        </>
      )}
    </>
  )
}

function Remind({ noticeId }: { noticeId: string }) {
  const reminding = useMutation({
    mutationFn: () => remind(noticeId),
    onSuccess: (count) => showToast(m.notifications_reminded({ count: formatCount(count) })),
    onError: (error) => showError(m.notifications_error_saving(), error),
  })
  return (
    <Button
      size="sm"
      variant="tint"
      isWaiting={reminding.isPending}
      onClick={() => reminding.mutate()}
    >
      {m.notifications_remind()}
    </Button>
  )
}

function WhoHasNot({ noticeId }: { noticeId: string }) {
  const query = useInfiniteQuery(notAcknowledgedQuery(noticeId))
  const { compare } = new Intl.Collator(formatLocale())
  const people = (query.data?.pages ?? [])
    .flatMap((page) => page.people)
    .sort((one, other) => compare(memberName(one), memberName(other)))
  return (
    <>
      <ul className="grid gap-1 text-small">
        {people.map((person) => (
          <li key={person.id}>{memberName(person)}</li>
        ))}
      </ul>
      {query.error && <Failed text={m.notifications_error_results()} error={query.error} />}
      {query.hasNextPage && (
        <Button
          size="sm"
          variant="ghost"
          className="justify-self-start"
          isWaiting={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {m.notifications_show_more()}
        </Button>
      )}
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

function stateOf({ cancelled_at, published_at, scheduled_for }: Notice) {
  if (cancelled_at) return m.notifications_state_withdrawn()
  if (published_at) return m.notifications_state_published({ at: formatMoment(published_at) })
  return m.notifications_state_scheduled({ at: scheduled_for ? formatMoment(scheduled_for) : '' })
}
