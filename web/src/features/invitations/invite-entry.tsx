import { ChevronRight, UserPlus } from 'lucide-react'
import { Link } from 'react-router'
import { m } from '#lib/messages/messages.js'

/** The way from the admin dashboard to the invitations. */
export function InviteEntry() {
  return (
    <Link
      to="/admin/invite"
      className="flex min-h-17 items-center gap-3.5 rounded-card border border-line bg-card px-4 py-3 font-semibold shadow-card transition hover:bg-tint"
    >
      <span className="grid size-11 flex-none place-items-center rounded-field bg-primary text-primary-ink">
        <UserPlus aria-hidden="true" className="size-5.5" />
      </span>
      <span className="min-w-0 flex-1">{m.invitations_title()}</span>
      <ChevronRight aria-hidden="true" className="size-5 flex-none text-muted" />
    </Link>
  )
}
