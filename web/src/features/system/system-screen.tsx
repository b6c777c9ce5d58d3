import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { LoadError } from '#ui/load-error.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'
import { AppErrors } from './app-errors.tsx'
import { FineList, FindingCard, UnwatchedList } from './finding-list.tsx'
import { Summary } from './summary.tsx'
import { keyOf, systemQuery } from './system-queries.ts'

const REFRESHES = ['system_status', 'app_error_list']

/** For admins: what is wrong with the system and what to do about it, in plain words. */
export function SystemScreen() {
  const queryClient = useQueryClient()
  const [isRefreshing, setIsRefreshing] = useState(false)
  const query = systemQuery(useUserId())
  const { data: findings, dataUpdatedAt, error, refetch } = useQuery(query)
  const { copiedAt } = useCopyState(query)
  const needing = findings?.filter(({ state }) => state === 'wrong' || state === 'attention')

  async function refresh() {
    setIsRefreshing(true)
    await Promise.all(
      REFRESHES.map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
    ).catch(() => undefined)
    setIsRefreshing(false)
  }

  return (
    <Screen
      wide
      refreshes={REFRESHES}
      header={<PageHeader title={m.system_title()} back="/admin" />}
    >
      <OfflineNote copiedAt={copiedAt} />
      {!findings && error && (
        <LoadError
          error={error}
          describe={(message) => m.system_failed({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {!findings && !error && <SkeletonCards count={3} className="h-28" />}
      {findings && needing && (
        <>
          <Summary
            needing={needing}
            isPartial={findings.some(({ state }) => state === 'unwatched')}
            readAt={dataUpdatedAt}
            isRefreshing={isRefreshing}
            onRefresh={() => void refresh()}
          />
          {needing.length > 0 && (
            <ul className="grid grid-cols-1 gap-stack lg:grid-cols-2">
              {needing.map((finding) => (
                <li key={keyOf(finding)}>
                  <FindingCard finding={finding} />
                </li>
              ))}
            </ul>
          )}
          <FineList findings={findings.filter(({ state }) => state === 'fine')} />
          <UnwatchedList findings={findings.filter(({ state }) => state === 'unwatched')} />
          <AppErrors />
        </>
      )}
    </Screen>
  )
}
