import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { IconButton } from '#ui/icon-button.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ChatSettings } from './chat-settings.tsx'
import { loadingFailed } from './loading-failed.ts'
import { NotificationList } from './notification-list.tsx'
import {
  markAllRead,
  notificationSettingsQuery,
  notificationsQuery,
  unreadNotificationsQuery,
} from './notification-queries.ts'
import { NotificationSettingsForm } from './notification-settings-form.tsx'
import { ThisDevice } from './this-device.tsx'

const TABLES = ['team_notices']

/** Notices and mentions, and the notification settings. The selected tab is in the URL. */
export function NotificationsScreen() {
  const [search, setSearch] = useSearchParams()
  const tab = search.get('tab') === 'settings' ? 'settings' : 'inbox'
  return (
    <Screen
      wide
      refreshes={TABLES}
      header={
        <PageHeader title={m.notifications_title()} actions={tab === 'inbox' && <MarkAllRead />} />
      }
    >
      <Tabs
        label={m.notifications_title()}
        value={tab}
        onChange={(value) =>
          setSearch(value === 'settings' ? { tab: value } : {}, { replace: true })
        }
        tabs={[
          { value: 'inbox', label: m.notifications_inbox() },
          { value: 'settings', label: m.notifications_settings() },
        ]}
        panelId="notifications-panel"
      />
      <div id="notifications-panel" role="tabpanel" className="grid gap-stack">
        {tab === 'inbox' ? <NotificationList /> : <Settings />}
      </div>
    </Screen>
  )
}

/** There as long as something is unread, on this page or further down. */
function MarkAllRead() {
  const memberId = useUserId()
  const notifications = useInfiniteQuery(notificationsQuery(memberId)).data?.pages.flat()
  const { data: unread = 0 } = useQuery(unreadNotificationsQuery())
  if (!notifications?.length) return null
  if (unread === 0 && !notifications.some(({ is_unread }) => is_unread)) return null
  return (
    <IconButton
      icon={<CheckCheck />}
      label={m.notifications_mark_all_read()}
      onClick={() => markAllRead(memberId, notifications)}
    />
  )
}

/** Where the settings cannot be loaded, the device and the chats cannot either: one error for all three. */
function Settings() {
  const { data, error, refetch } = useQuery(notificationSettingsQuery(useUserId()))
  if (!data && error) {
    return <LoadError error={error} describe={loadingFailed} onRetry={() => void refetch()} />
  }
  return (
    <div className="grid grid-cols-1 items-start gap-x-section gap-y-stack lg:grid-cols-2">
      <div className="grid grid-cols-1 gap-stack">
        <ThisDevice />
        <NotificationSettingsForm />
      </div>
      <ChatSettings />
    </div>
  )
}
