import { useQuery } from '@tanstack/react-query'
import { m } from '#lib/messages/messages.js'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { HoldList } from './hold-list.tsx'
import { holdsQuery } from './records-queries.ts'

const REFRESHES = ['records']

/** What the firm keeps: legal holds (product.md P163). */
export function RecordsScreen() {
  const { data: holds, error, isPending, refetch } = useQuery(holdsQuery())
  return (
    <Screen
      wide
      refreshes={REFRESHES}
      header={<PageHeader title={m.records_title()} back="/admin" />}
    >
      {isPending && <SkeletonRows />}
      {error && !holds && (
        <LoadError
          error={error}
          describe={(message) => m.records_failed({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {holds && (
        <>
          <p className="max-w-prose text-muted">{m.records_text()}</p>
          <HoldList holds={holds} />
          <p className="text-muted">
            {`${m.records_retention_where()} `}
            <TextLink to="/admin/settings">{m.admin_settings()}</TextLink>
          </p>
        </>
      )}
    </Screen>
  )
}
