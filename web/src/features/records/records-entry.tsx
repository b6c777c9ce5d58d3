import { Archive } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { TileLink } from '#ui/tile-link.tsx'

/** Links from the admin dashboard to what the firm keeps. */
export function RecordsEntry() {
  return (
    <TileLink to="/admin/records" picture={Archive} detail={m.records_hint()}>
      {m.records_title()}
    </TileLink>
  )
}
