import { ServerCog } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { TileLink } from '#ui/tile-link.tsx'

/** Links from the admin dashboard to the state of the system. @param problems how many there are, if that is known */
export function SystemEntry({ problems }: { problems: number | undefined }) {
  return (
    <TileLink
      to="/admin/system"
      picture={ServerCog}
      detail={problems === 0 ? m.system_all_fine() : m.system_hint()}
      news={Boolean(problems) && m.system_problems({ count: problems ?? 0 })}
    >
      {m.system_title()}
    </TileLink>
  )
}
