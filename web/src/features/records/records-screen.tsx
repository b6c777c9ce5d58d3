import { useQuery } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { HoldList } from './hold-list.tsx'
import { recordsQuery } from './records-queries.ts'
import { Retention } from './retention.tsx'

const REFRESHES = ['records']

/** What the firm keeps: legal holds, and for how long each kind of record is kept (product.md P162 and P163). */
export function RecordsScreen() {
  const { data, error, isPending, refetch } = useQuery(recordsQuery())
  return (
    <Screen
      wide
      refreshes={REFRESHES}
      header={<PageHeader title={m.records_title()} back="/admin" />}
    >
      {isPending && <SkeletonRows />}
      {error && !data && (
        <LoadError
          error={error}
          describe={(message) => m.records_failed({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {data && (
        <>
          <p className="max-w-prose text-muted">{m.records_text()}</p>
          <HoldList holds={data.holds} />
          <Retention retention={data.retention} />
        </>
      )}
    </Screen>
  )
}
