import type { ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { ContentManager } from './content-manager.tsx'
import { CONTENT_TYPES } from './content-types.ts'
import { managedType } from './managed-type.ts'

/** Management pages of other features, passed in by the app. */
type Props = { notifications: ReactNode; chats: ReactNode }

/** One kind of content, or one of the two management pages. */
export function AdminManageScreen({ notifications, chats }: Props) {
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
  if (managed === 'chat') return chats
  const type = CONTENT_TYPES.find(({ id }) => id === managed)!
  return <ContentManager key={type.id} type={type} />
}
