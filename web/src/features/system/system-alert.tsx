import { CircleAlert } from 'lucide-react'
import { formatList } from '#lib/i18n/format-list.ts'
import { m } from '#lib/messages/messages.js'
import { TileLink } from '#ui/tile-link.tsx'
import { nameOfPart } from './part-names.ts'

/** On the admin dashboard, that something is wrong with the system. @param parts those that are */
export function SystemAlert({ parts }: { parts: string[] }) {
  return (
    <TileLink
      to="/admin/system"
      picture={CircleAlert}
      detail={formatList(parts.map(nameOfPart))}
      news={m.system_wrong()}
    >
      {m.system_alert()}
    </TileLink>
  )
}
