import { AdminScreen } from '#features/admin/admin-screen.tsx'
import { InviteEntry } from '#features/invitations/invite-entry.tsx'
import { MembersEntry } from '#features/members/members-entry.tsx'
import { MailboxEntry } from './mailbox-entry.tsx'

/** The admin dashboard with links to other features, which only the app may join. */
export function AdminPage() {
  return (
    <AdminScreen>
      <InviteEntry />
      <MembersEntry />
      <MailboxEntry />
    </AdminScreen>
  )
}
