import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/notify-error.ts'
import { NeedsConnection, type Reading } from '#lib/offline-copy.ts'
import { useErrorAlert } from '#lib/use-error-alert.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'

type Props<Item> = {
  query: UseQueryResult<Reading<Item[]>>
  /** The product's words for a failed load, without the colon and the message. */
  errorText: string
  /** What stands there when there are no items. */
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}

/** The four states every list has: loading, failed, empty, or its items with their age when they are a copy. */
export function ContentList<Item>({ query, errorText, empty, children }: Props<Item>) {
  const { data, error, refetch } = query
  useErrorAlert(errorText, query)
  if (data) {
    return (
      <>
        <OfflineNote reading={data} />
        {data.data.length > 0 ? children(data.data) : empty}
      </>
    )
  }
  if (error instanceof NeedsConnection) {
    return (
      <ErrorState
        title={m.content_offline_title()}
        text={error.message}
        onRetry={() => void refetch()}
      />
    )
  }
  if (error) {
    return <ErrorState text={`${errorText}: ${messageOf(error)}`} onRetry={() => void refetch()} />
  }
  return <SkeletonCards className="h-64" />
}
