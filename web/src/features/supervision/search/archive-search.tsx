import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { FoundRecord } from './found-record.tsx'
import { SearchForm } from './search-form.tsx'
import { foundQuery, type Search } from './search-queries.ts'

const NO_SEARCH: Search = {
  reason: '',
  words: '',
  person: '',
  chat: '',
  kind: '',
  from: '',
  to: '',
}

/** Search over everything that was ever said, in every version (product.md P167). */
export function ArchiveSearch() {
  const [made, setMade] = useState({ search: NO_SEARCH, number: 0 })
  const query = useInfiniteQuery({
    ...foundQuery(made.search, made.number),
    enabled: made.number > 0,
    refetchOnWindowFocus: false,
    refetchOnMount: false,
  })
  const found = query.data?.pages.flat()
  const result = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone the form fills the screen.
    const top = result.current?.getBoundingClientRect().top ?? 0
    if (made.number > 0 && top > window.innerHeight / 2) result.current?.scrollIntoView()
  }, [made.number, query.isLoading])
  return (
    <>
      <p className="max-w-prose text-muted">{m.archive_search_text()}</p>
      <SearchForm
        isWaiting={query.isLoading}
        onSearch={(search) => setMade({ search, number: made.number + 1 })}
      />
      <section ref={result} className="grid scroll-mt-4 grid-cols-1 gap-stack">
        {query.isLoading && <SkeletonRows />}
        {query.error && (
          <LoadError
            error={query.error}
            describe={(message) => m.archive_search_error({ message })}
            onRetry={() => void query.refetch()}
          />
        )}
        {found?.length === 0 && (
          <EmptyState
            picture={<SearchX />}
            title={m.archive_search_none()}
            text={m.archive_search_none_text()}
          />
        )}
        {found?.[0] && (
          <>
            <p role="status" className="font-semibold">
              {query.hasNextPage
                ? m.archive_search_newest({ count: formatCount(found.length) })
                : m.archive_search_count({ count: formatCount(found.length) })}
            </p>
            <ExportButtons key={made.number} search={made.search} number={found[0].search_seq} />
            <ol aria-label={m.archive_search_found()} className="grid gap-2.5">
              {found.map((record) => (
                <li key={record.seq}>
                  <FoundRecord record={record} />
                </li>
              ))}
            </ol>
            <ShowMorePages query={query} />
          </>
        )}
      </section>
    </>
  )
}
