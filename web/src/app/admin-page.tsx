import { AdminScreen } from '#features/admin/admin-screen.tsx'
import { InviteEntry } from '#features/invitations/invite-entry.tsx'

/** The admin dashboard with the way to another area: only the app may join them. */
export function AdminPage() {
  return (
    <AdminScreen>
      <InviteEntry />
    </AdminScreen>
  )
}
