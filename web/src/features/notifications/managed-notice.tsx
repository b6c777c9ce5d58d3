import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useChangedBy } from '#domain/changed-by.tsx'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { withdrawNotice, type Notice } from './notice-queries.ts'
import { NoticeResults } from './notice-results.tsx'

type Props = {
  notice: Notice
  /** Who wrote or changed notices, by id; undefined until loaded. */
  names: Map<string, string> | undefined
}

/** A notice as its author sees it: status and results. */
export function ManagedNotice({ notice, names }: Props) {
  const author = names?.get(notice.created_by ?? '')
  const changedBy = useChangedBy(notice.updated_at, names?.get(notice.updated_by ?? ''))
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
  const withdrawButton = !notice.cancelled_at && (
    <Button
      size="sm"
      variant="danger-ghost"
      className="justify-self-start"
      onClick={() => setIsAsking(true)}
    >
      {m.notifications_withdraw()}
      <span className="sr-only"> {notice.title}</span>
    </Button>
  )
  return (
    <Card className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-semibold break-words">{notice.title}</h2>
        <Chip tone={notice.cancelled_at ? 'danger' : 'primary'}>{stateOf(notice)}</Chip>
        {notice.is_urgent && <Chip tone="danger">{m.notifications_urgent()}</Chip>}
      </div>
      <p className="min-h-5 text-note text-muted">
        {[author && m.notifications_written_by({ name: author }), changedBy]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {notice.body && (
        <p className="break-words whitespace-pre-line">
          <LinkedText text={notice.body} />
        </p>
      )}
      {notice.link && (
        <Link
          to={notice.link}
          target={notice.link.startsWith('/') ? undefined : '_blank'}
          rel="noopener noreferrer"
          className="-my-2 inline-flex min-h-target items-center justify-self-start text-small break-all text-primary underline"
        >
          {notice.link}
        </Link>
      )}
      {notice.published_at ? (
        <NoticeResults notice={notice}>{withdrawButton}</NoticeResults>
      ) : (
        withdrawButton
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

function stateOf({ cancelled_at, published_at, scheduled_for }: Notice) {
  if (cancelled_at) return m.notifications_state_withdrawn()
  if (published_at) return m.notifications_state_published({ at: formatMoment(published_at) })
  return m.notifications_state_scheduled({ at: scheduled_for ? formatMoment(scheduled_for) : '' })
}
