import { useQuery } from '@tanstack/react-query'
import { ScanEye } from 'lucide-react'
import { useLiveTopic } from '#data/live/use-live-topic.ts'
import { useUserId } from '#data/session/session.ts'
import {
  actsAsSupervisorQuery,
  reviewsWaitingQuery,
} from '#features/supervision/supervision-queries.ts'
import { m } from '#lib/messages/messages.js'
import { Badge, cappedCount } from '#ui/badge.tsx'
import type { NavigationItem } from './navigation-items.ts'
import { NavigationLink } from './navigation-link.tsx'

const ITEM: NavigationItem = {
  path: '/supervision',
  label: m.supervision_title,
  icon: ScanEye,
}
const TABLES = ['review_items']

const badgeLabel = (count: number) => m.supervision_waiting({ count: cappedCount(count) })
const useActsAsSupervisor = () => useQuery(actsAsSupervisorQuery(useUserId())).data === true

type SupervisionLinkProps = { className?: string; onFollow?: () => void }

/** Leads supervisors to the queue and says how many items wait; nothing while the session lacks the right. */
export function SupervisionLink({ className, onFollow }: SupervisionLinkProps) {
  const acts = useActsAsSupervisor()
  const { data: waiting = 0 } = useQuery({ ...reviewsWaitingQuery(), enabled: acts })
  if (!acts) return null
  return (
    <li className={className}>
      <NavigationLink
        item={ITEM}
        unread={waiting}
        unreadLabel={badgeLabel(waiting)}
        {...(onFollow && { onFollow })}
      />
    </li>
  )
}

/** The count on More, which holds the link on a phone. */
export function SupervisionBadge() {
  return useActsAsSupervisor() && <LiveBadge />
}

/** Listens for as long as the app is open; the link reads the same query. */
function LiveBadge() {
  useLiveTopic(`supervisor:${useUserId()}`, TABLES)
  const { data: waiting = 0 } = useQuery(reviewsWaitingQuery())
  return (
    <Badge
      count={waiting}
      label={badgeLabel(waiting)}
      className="absolute -top-1.5 left-3 border-2 border-card text-tiny!"
    />
  )
}
