import { AdminManageScreen } from '#features/admin/admin-manage-screen.tsx'
import { ChatManagement } from '#features/members/chat-management/chat-management.tsx'
import { NoticeManagement } from '#features/notifications/notice-management.tsx'

/** The admin area, with the pages of other features. */
export function AdminManagePage() {
  return <AdminManageScreen notifications={<NoticeManagement />} chats={<ChatManagement />} />
}
