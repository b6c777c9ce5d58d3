import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import { m } from '#lib/messages/messages.js'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { SkipLink } from '#ui/skip-link.tsx'
import { Assignment } from './assignment.tsx'
import { Conversation } from './conversation.tsx'
import { DecisionForm } from './decision-form.tsx'
import {
  itemLookQuery,
  reviewItemQuery,
  type ReviewEvent,
  type ReviewItem,
} from './supervision-queries.ts'
import { outcomeName, sourceName, whyQueued } from './supervision-words.ts'

/** One item: why it is in the queue, what was said around it, what supervisors noted, and the decision. */
export function ItemSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: item, error, refetch } = useQuery(reviewItemQuery(id))
  const look = useQuery(itemLookQuery(id))
  const decisionId = useId()
  return (
    <Modal
      open
      wide
      onClose={onClose}
      title={item?.source === 'report' ? m.supervision_item_report() : m.supervision_item()}
      description={item ? `${item.member_name} · ${sourceName(item.source)}` : ''}
    >
      {item === undefined && !error && <SkeletonRows count={12} />}
      {item === undefined && error && (
        <LoadError
          error={error}
          describe={(message) => m.supervision_error({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {item === null && <p>{m.server_review_own()}</p>}
      {item && (
        <>
          <Facts item={item} />
          {look.data && (
            <div className="relative">
              <SkipLink to={decisionId} label={m.supervision_skip_to_decision()} />
              <Conversation lookId={look.data} marked={item.message_id} />
            </div>
          )}
          {look.data && <p className="text-note text-muted">{m.supervision_look_recorded()}</p>}
          {look.isPending && <SkeletonRows />}
          <Events events={item.events as ReviewEvent[]} />
          <div id={decisionId} tabIndex={-1} className="grid grid-cols-1 gap-3 focus:outline-0">
            {!item.closed_at && <Assignment item={item} />}
            <DecisionForm item={item} onDone={onClose} />
          </div>
        </>
      )}
    </Modal>
  )
}

function Facts({ item }: { item: ReviewItem }) {
  const facts = [
    [m.supervision_why(), whyQueued(item)],
    [m.supervision_where(), item.chat_title],
    [m.supervision_when(), formatMoment(item.occurred_at)],
    [m.supervision_queued(), formatMoment(item.created_at)],
    [m.supervision_leader(), item.leader_name],
    [m.supervision_reported_by(), item.reporter_name],
    [m.supervision_report_note(), item.report_note],
    [m.supervision_decision(), item.outcome && outcomeName(item.outcome)],
  ]
  return (
    <dl className="grid gap-1.5">
      {facts.map(
        ([term, fact]) =>
          fact && (
            <div key={term} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-muted">{term}</dt>
              <dd className="min-w-0 font-medium wrap-anywhere">{fact}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function Events({ events }: { events: ReviewEvent[] }) {
  if (events.length === 0) return null
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{m.supervision_notes()}</h3>
      <ul className="grid grid-cols-1 gap-2">
        {events.map((event) => (
          <li key={event.id} className="rounded-field bg-tint px-3 py-2">
            <p className="text-note text-muted">
              {eventWords(event)} · {formatMoment(event.at)}
            </p>
            {event.note && <p className="wrap-anywhere whitespace-pre-wrap">{event.note}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function eventWords({ action, actor, assignee, is_own, outcome }: ReviewEvent): string {
  switch (action) {
    case 'decided':
      return m.supervision_decided({ actor, outcome: outcome ? outcomeName(outcome) : '' })
    case 'assigned':
      if (is_own) return m.supervision_taken({ actor })
      return assignee
        ? m.supervision_assigned({ actor, member: assignee })
        : m.supervision_given_back({ actor })
    case 'reopened':
      return m.supervision_reopened({ actor })
    case 'noted':
      return actor
  }
}
