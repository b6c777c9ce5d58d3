import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { AdminScreen } from '#features/admin/admin-screen.tsx'
import { dashboardQuery, userCountQuery } from '#features/dashboard/dashboard-queries.ts'
import { Dashboard } from '#features/dashboard/dashboard.tsx'
import { SetupCard } from '#features/setup/setup-card.tsx'
import { SetupReminder } from '#features/setup/setup-reminder.tsx'
import { useSetupList } from '#features/setup/use-setup-list.ts'
import { SystemEntry } from '#features/system/system-entry.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { MailboxEntry } from './mailbox-entry.tsx'

// Seldom needed.
const SystemAlert = lazy(async () => ({
  default: (await import('#features/system/system-alert.tsx')).SystemAlert,
}))

/** The admin dashboard with parts of other features, which only the app may join. */
export function AdminPage() {
  const { isWaiting, isOpen, checklist } = useSetupList()
  const [hasFetchedList, setHasFetchedList] = useState(false)
  const dashboard = useQuery(dashboardQuery())
  // Drawn later, and asked with the rest.
  useQuery(userCountQuery())
  return (
    <AdminScreen
      isWaiting={isWaiting || !dashboard.isFetched}
      tiles={[
        <SystemEntry key="system" problems={dashboard.data?.system_problems} />,
        <MailboxEntry key="mailbox" />,
      ]}
      footer={
        checklist && <SetupReminder checklist={checklist} onFetch={() => setHasFetchedList(true)} />
      }
    >
      {dashboard.data?.system_wrong.length ? (
        <Suspense fallback={<Skeleton className="h-17" />}>
          <SystemAlert parts={dashboard.data.system_wrong} />
        </Suspense>
      ) : null}
      {isOpen && checklist && <SetupCard checklist={checklist} takesFocus={hasFetchedList} />}
      <Dashboard />
    </AdminScreen>
  )
}
