import { AdminManageScreen } from '#features/admin/admin-manage-screen.tsx'
import { NoticeManagement } from '#features/notifications/notice-management.tsx'

/** The admin area, with notification management passed in from its own feature. */
export function AdminManagePage() {
  return <AdminManageScreen notifications={<NoticeManagement />} />
}
