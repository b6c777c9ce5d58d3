import { AdminManageScreen } from '#features/admin/admin-manage-screen.tsx'
import { NoticeManagement } from '#features/notifications/notice-management.tsx'

/** The admin area with the notification management of its own area put in. */
export function AdminManagePage() {
  return <AdminManageScreen notifications={<NoticeManagement />} />
}
