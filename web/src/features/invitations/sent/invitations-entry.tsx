import { useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { TileLink } from '#ui/tile-link.tsx'
import { sentCountsQuery } from './sent-queries.ts'

/** Links to what became of the invitations. */
export function InvitationsEntry() {
  const counts = useQuery(sentCountsQuery()).data
  const bounced = counts?.bounced ?? 0
  return (
    <TileLink
      to={bounced > 0 ? '/admin/invitations?filter=bounced' : '/admin/invitations'}
      picture={MailCheck}
      // Keeps its line while loading.
      detail={
        counts
          ? m.invitations_entry({
              pending: formatCount(counts.pending),
              accepted: formatCount(counts.accepted),
              expired: formatCount(counts.expired),
            })
          : '\u00a0'
      }
      news={bounced > 0 && m.invitations_entry_bounced({ count: formatCount(bounced) })}
    >
      {m.invitations_list_title()}
    </TileLink>
  )
}
