import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AtSign, Check, Megaphone } from 'lucide-react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/notify-error.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { formatMoment } from './format-moment.ts'
import { acknowledge, markOpened, type Notification } from './notification-queries.ts'

/** One notice or mention: what it says, whether it is new, and what it asks for. */
export function NotificationCard({ notification }: { notification: Notification }) {
  const { kind, id, title, body, at, link, is_unread, is_urgent } = notification
  const Picture = kind === 'mention' ? AtSign : Megaphone
  return (
    <Card className={is_unread ? 'border-primary' : undefined}>
      <div className="flex gap-3">
        <Picture aria-hidden="true" className="mt-0.5 size-5 flex-none text-primary" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 font-semibold break-words">
              {kind === 'mention' ? m.notifications_mention({ name: title }) : title}
            </h2>
            {is_urgent && <Chip tone="danger">{m.notifications_urgent()}</Chip>}
            {is_unread && <Chip>{m.notifications_new()}</Chip>}
          </div>
          {body && <p className="mt-1 break-words whitespace-pre-line">{body}</p>}
          <p className="mt-1 text-note text-muted">
            <time dateTime={at}>{formatMoment(at)}</time>
          </p>
          <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {link && <OpenLink id={id} kind={kind} link={link} about={title} />}
            <Acknowledge notification={notification} />
          </div>
        </div>
      </div>
    </Card>
  )
}

function OpenLink({
  id,
  kind,
  link,
  about,
}: {
  id: string
  kind: string
  link: string
  about: string
}) {
  const queryClient = useQueryClient()
  function open() {
    if (kind !== 'notice') return
    markOpened(id)
      .then(() => queryClient.invalidateQueries({ queryKey: ['team_notices'] }))
      // Silent on purpose: the page opens all the same.
      .catch((error: unknown) => console.warn('Not marked as opened', error))
  }
  const look = buttonLook('tint', 'sm')
  const text = (
    <>
      {m.notifications_open()}
      <span className="sr-only"> {about}</span>
    </>
  )
  if (link.startsWith('/')) {
    return (
      <Link to={link} onClick={open} className={look}>
        {text}
      </Link>
    )
  }
  return (
    <a href={link} target="_blank" rel="noopener noreferrer" onClick={open} className={look}>
      {text}
    </a>
  )
}

function Acknowledge({ notification }: { notification: Notification }) {
  const queryClient = useQueryClient()
  const { kind, id, must_acknowledge, acknowledged_at, is_unread, link } = notification
  const change = useMutation({
    mutationFn: () => (must_acknowledge ? acknowledge(id) : markOpened(id)),
    onError: (error) => showError(m.notifications_error_saving(), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['team_notices'] }),
  })
  if (kind !== 'notice') return null
  if (acknowledged_at) {
    return (
      <p className="inline-flex min-h-9 items-center gap-1.5 text-small text-muted">
        <Check aria-hidden="true" className="size-4" />
        {m.notifications_acknowledged()}
      </p>
    )
  }
  // A notice that asks for nothing and leads nowhere is read by saying so.
  if (!must_acknowledge && (link || !is_unread)) return null
  return (
    <Button size="sm" onClick={() => change.mutate()} isWaiting={change.isPending}>
      {must_acknowledge ? m.notifications_acknowledge() : m.notifications_mark_read()}
    </Button>
  )
}
