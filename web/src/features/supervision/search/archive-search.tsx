import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { messageOf } from '#lib/server/notify-error.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { ShowMorePages } from '#ui/show-more.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { FoundConversation } from './found-conversation.tsx'
import { FoundRecord } from './found-record.tsx'
import { SearchForm } from './search-form.tsx'
import { foundQuery, type FoundMessage, type Search } from './search-queries.ts'

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
  const [search, setSearch] = useState(NO_SEARCH)
  const [made, setMade] = useState({ search, number: 0 })
  const query = useInfiniteQuery({
    ...foundQuery(made.search, made.number),
    enabled: made.number > 0,
    refetchOnWindowFocus: false,
    refetchOnMount: false,
  })
  const found = query.data?.pages.flat()
  const broad = tooBroadField(query.error)
  // Until something else is typed.
  const refused =
    broad && search[broad] === made.search[broad] ? { [broad]: messageOf(query.error) } : {}
  const [opened, setOpened] = useState<FoundMessage | null>(null)
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
        search={search}
        onChange={setSearch}
        refused={refused}
        isWaiting={query.isLoading}
        onSearch={() => setMade({ search, number: made.number + 1 })}
      />
      <section ref={result} className="grid scroll-mt-4 grid-cols-1 gap-stack">
        {found && findsOther(search, made.search) && (
          <p className="text-note text-muted">{m.archive_search_of_before()}</p>
        )}
        {query.isLoading && <SkeletonRows />}
        {query.error && !broad && (
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
            <ExportButtons key={made.number} search={made.search} searchSeq={found[0].search_seq} />
            <ol aria-label={m.archive_search_found()} className="grid gap-2.5">
              {found.map((record) => (
                <li key={record.seq}>
                  <FoundRecord record={record} onOpen={setOpened} />
                </li>
              ))}
            </ol>
            <ShowMorePages query={query} />
          </>
        )}
      </section>
      {opened && (
        <FoundConversation
          message={opened}
          reason={made.search.reason}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

const TOO_MANY = { person: m.server_search_many_people, chat: m.server_search_many_chats }

/** The field that the server refused because too many are called this. */
const tooBroadField = (error: Error | null) =>
  (['person', 'chat'] as const).find(
    (field) => error?.message === TOO_MANY[field]({}, { locale: 'en' }),
  )

/** Whether two searches are for something else; the reason finds nothing. */
function findsOther(one: Search, other: Search): boolean {
  return JSON.stringify({ ...one, reason: '' }) !== JSON.stringify({ ...other, reason: '' })
}
