import { History } from 'lucide-react'
import { m } from '#lib/messages/messages.js'
import { TileLink } from '#ui/tile-link.tsx'

/** Links from the admin dashboard to the audit log. */
export function AuditLogLink() {
  return (
    <TileLink to="/admin/audit" picture={History} detail={m.audit_hint()}>
      {m.audit_title()}
    </TileLink>
  )
}
