import type { ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { ChatManagement } from './chat-management.tsx'
import { ContentManager } from './content-manager.tsx'
import { CONTENT_TYPES } from './content-types.ts'
import { managedType } from './managed-type.ts'

/**
 * One kind of content, or one of the two management pages. `notifications` belongs to another feature and is
 * passed in by the app.
 */
export function AdminManageScreen({ notifications }: { notifications: ReactNode }) {
  const [search] = useSearchParams()
  const state: unknown = useLocation().state
  const managed = managedType(search, state)
  if (managed === 'notifications') {
    return (
      <Screen wide header={<PageHeader title={m.admin_notification_management()} back="/admin" />}>
        {notifications}
      </Screen>
    )
  }
  if (managed === 'chat') return <ChatManagement />
  const type = CONTENT_TYPES.find(({ id }) => id === managed)!
  return <ContentManager key={type.id} type={type} />
}
