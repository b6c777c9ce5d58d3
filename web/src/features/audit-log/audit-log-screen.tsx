import { useInfiniteQuery } from '@tanstack/react-query'
import { History, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { addressOf, filtersIn, type AuditFilters } from './audit-filters.ts'
import { auditEntriesQuery } from './audit-queries.ts'
import { EntryList } from './entry-list.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterFields } from './filter-fields.tsx'

const REFRESHES = ['audit_log']
const SETTLE_MS = 250

/** Who changed what on the team, and when (product.md P155). */
export function AuditLogScreen() {
  const [address, setAddress] = useSearchParams()
  const filters = filtersIn(address)
  const [typed, setTyped] = useState('')
  const words = useDebouncedValue(typed.trim(), SETTLE_MS)
  const search = { ...filters, words }
  const query = useInfiniteQuery(auditEntriesQuery(search))
  const entries = query.data?.pages.flat()
  const isFiltered = words !== '' || addressOf(filters).size > 0
  const change = (changed: Partial<AuditFilters>) =>
    setAddress(addressOf({ ...filters, ...changed }), { replace: true })
  function clear() {
    setTyped('')
    setAddress({}, { replace: true })
  }

  return (
    <Screen
      wide
      refreshes={REFRESHES}
      header={
        <PageHeader
          title={m.audit_title()}
          back="/admin"
          actions={<ExportButton search={search} isEmpty={entries?.length === 0} />}
        />
      }
    >
      <FilterFields filters={filters} words={typed} onChange={change} onWords={setTyped} />
      {query.isPending && <SkeletonRows />}
      {query.error && !entries && (
        <LoadError
          error={query.error}
          describe={(message) => m.audit_error({ message })}
          onRetry={() => void query.refetch()}
        />
      )}
      {entries?.length === 0 && (
        <EmptyState
          picture={isFiltered ? <SearchX /> : <History />}
          title={isFiltered ? m.audit_none_found() : m.audit_none()}
          text={isFiltered ? m.audit_none_found_text() : m.audit_none_text()}
          action={
            isFiltered && (
              <Button variant="tint" onClick={clear}>
                {m.audit_clear()}
              </Button>
            )
          }
        />
      )}
      {entries && <EntryList entries={entries} onFilter={change} />}
      {query.isFetchNextPageError && (
        <p role="alert" className="text-small text-danger-text">
          {m.audit_older_failed({ message: messageOf(query.error) })}
        </p>
      )}
      <ShowMorePages query={query} isEndless={!query.isFetchNextPageError} />
    </Screen>
  )
}
