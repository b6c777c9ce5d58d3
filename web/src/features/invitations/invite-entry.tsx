import { UserPlus } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { TileLink } from '#ui/tile-link.tsx'

/** Links from the admin dashboard to the invitations. */
export function InviteEntry() {
  return (
    <TileLink to="/admin/invite" picture={UserPlus} detail={m.invitations_hint()} isPrimary>
      {m.invitations_title()}
    </TileLink>
  )
}
