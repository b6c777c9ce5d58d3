import { AdminManageScreen } from '#features/admin/admin-manage-screen.tsx'
import { ComingSoonScreen } from './coming-soon-screen.tsx'

/** The admin area with the notification management of its own area put in. */
export function AdminManagePage() {
  return <AdminManageScreen notifications={<ComingSoonScreen />} />
}
