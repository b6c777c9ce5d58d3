import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useErrorAlert } from '#lib/server/use-error-alert.ts'
import { LoadError } from '#ui/load-error.tsx'
import { OfflineNote } from '#ui/offline-note.tsx'
import { SkeletonCards } from '#ui/skeleton.tsx'

type Props<Item> = {
  query: UseQueryResult<Item[]>
  /** When it was read, if it is a copy (useCopyState). */
  copiedAt: number | undefined
  /** The product's error text, without the colon and the message. */
  errorText: string
  /** Shown when there are no items. */
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}

/**
 * The states of every list: loading, error, empty, or its items (with their age if they are an offline
 * copy).
 */
export function ContentList<Item>({ query, copiedAt, errorText, empty, children }: Props<Item>) {
  const { data, error, refetch } = query
  useErrorAlert(errorText, query)
  if (data) {
    return (
      <>
        <OfflineNote copiedAt={copiedAt} />
        {data.length > 0 ? children(data) : empty}
      </>
    )
  }
  if (error) {
    const describe = (message: string) => `${errorText}: ${message}`
    return <LoadError error={error} describe={describe} onRetry={() => void refetch()} />
  }
  return <SkeletonCards className="h-64" />
}
