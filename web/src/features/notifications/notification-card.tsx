import { useQueryClient } from '@tanstack/react-query'
import { AtSign, Check, Flag, Megaphone, UserPlus, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { outcomeWords } from '#domain/reports.ts'
import { appPath } from '#lib/app-path.ts'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { timeSince } from '#lib/i18n/time-since.ts'
import { m } from '#lib/messages/messages.js'
import { useReach } from '#lib/server/server-reach.ts'
import { useNow } from '#lib/use-now.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Chip } from '#ui/chip.tsx'
import { classNames } from '#ui/class-names.ts'
import { LinkedText } from '#ui/linked-text.tsx'
import { isAnswerWaiting } from './notice-answers.ts'
import {
  answerNotice,
  markNewcomersSeen,
  markOpened,
  type Notification,
} from './notification-queries.ts'

/** Extends a control to its whole card. Other controls there need `relative`, which puts them above. */
const WHOLE_CARD = 'after:absolute after:inset-0'

const PICTURES: Record<string, LucideIcon> = { mention: AtSign, newcomer: UserPlus, report: Flag }

/** The title and the text are names where a notification is not a leader's own words. */
function wordsOf({ kind, title, body }: Notification) {
  if (kind === 'mention') return { title: m.notifications_mention({ name: title }), body }
  if (kind === 'report')
    return { title: m.safety_answered({ name: title }), body: outcomeWords(body) }
  if (kind !== 'newcomer') return { title, body }
  const by = body && m.notifications_newcomer_by({ name: body })
  return { title: m.notifications_newcomer({ name: title }), body: by }
}

type NotificationCardProps = {
  notification: Notification
  /** In its upper right corner, such as a way to close it. */
  corner?: ReactNode
}

/** A notice, a mention, what became of a report, or somebody who waits to be let in: its text, whether it is new, and its actions. Tapping anywhere opens it. */
export function NotificationCard({ notification, corner }: NotificationCardProps) {
  const { kind, id, at, link, author, is_unread, is_urgent } = notification
  const { title, body } = wordsOf(notification)
  const isReminder = notification.reminded_at !== null && notification.acknowledged_at === null
  const isToAcknowledge = notification.must_acknowledge && notification.acknowledged_at === null
  const Picture = PICTURES[kind] ?? Megaphone
  return (
    <Card className={classNames('relative', (is_unread || isToAcknowledge) && 'border-primary')}>
      <div className="flex gap-3">
        <Picture aria-hidden="true" className="mt-0.5 size-5 flex-none text-primary" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 font-semibold break-words">{title}</h2>
            {is_urgent && <Chip tone="danger">{m.notifications_urgent()}</Chip>}
            {isReminder && <Chip tone="danger">{m.notifications_reminder()}</Chip>}
            {is_unread && <Chip>{m.notifications_new()}</Chip>}
          </div>
          {body && (
            <p className="mt-1 break-words whitespace-pre-line [&_a]:relative [&_a]:z-10">
              <LinkedText text={body} />
            </p>
          )}
          <p className="mt-1 text-note text-muted">
            {author && (
              <span className="break-words">{m.notifications_from({ name: author })} · </span>
            )}
            <Since at={at} />
          </p>
          <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {link && <OpenLink id={id} kind={kind} link={link} about={notification.title} />}
            <Acknowledge notification={notification} />
          </div>
        </div>
        {corner}
      </div>
    </Card>
  )
}

const WEEK_MS = 7 * 24 * 60 * 60_000

/** How long ago it was; after a week, when. */
function Since({ at }: { at: string }) {
  const now = useNow()
  const moment = Date.parse(at)
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {now - moment < WEEK_MS ? timeSince(moment, now) : formatMoment(at)}
    </time>
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
    // Its page notes that it was read.
    if (kind === 'mention' || kind === 'report') return
    const seen = kind === 'newcomer' ? markNewcomersSeen() : markOpened(id)
    seen
      .then(() => queryClient.invalidateQueries({ queryKey: ['team_notices'] }))
      // Silent on purpose: the page opens regardless.
      .catch((error: unknown) => console.warn('Could not mark the notice as opened', error))
  }
  const look = classNames(buttonLook('tint', 'sm'), WHOLE_CARD)
  const text = (
    <>
      {m.notifications_open()}
      <span className="sr-only"> {about}</span>
    </>
  )
  if (link.startsWith('/')) {
    return (
      <Link to={appPath(link)} onClick={open} className={look}>
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
  const memberId = useUserId()
  const isOnline = useReach() === 'online'
  const { kind, id, must_acknowledge, acknowledged_at, is_unread, link } = notification
  if (kind !== 'notice') return null
  if (acknowledged_at) {
    return (
      <p className="inline-flex min-h-9 items-center gap-1.5 text-small text-muted">
        <Check aria-hidden="true" className="size-4" />
        {!isOnline && isAnswerWaiting(memberId, id)
          ? m.notifications_acknowledged_later()
          : m.notifications_acknowledged()}
      </p>
    )
  }
  // A notice without acknowledgment or link needs an explicit "mark as read".
  if (!must_acknowledge && (link || !is_unread)) return null
  return (
    <Button
      size="sm"
      // Acknowledging is a decision, so a stray tap must not.
      className={must_acknowledge ? 'relative' : WHOLE_CARD}
      onClick={() => answerNotice(memberId, notification)}
    >
      {must_acknowledge ? m.notifications_acknowledge() : m.notifications_mark_read()}
    </Button>
  )
}
