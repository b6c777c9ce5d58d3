import { Users } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { TileLink } from '#ui/tile-link.tsx'

/** Links from the admin dashboard to the members. */
export function MembersEntry() {
  return (
    <TileLink to="/admin/members" picture={Users} detail={m.members_hint()}>
      {m.members_title()}
    </TileLink>
  )
}
