import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { LoadError } from '#ui/load-error.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { showToast } from '#ui/toast-store.ts'
import { ChatSearch } from './chat-search.tsx'
import { Figures } from './figures.tsx'
import { Lexicon } from './lexicon.tsx'
import { Queue } from './queue.tsx'
import { ArchiveSearch } from './search/archive-search.tsx'
import { actsAsSupervisorQuery } from './supervision-queries.ts'

const REFRESHES = ['review_items']
const TABS = {
  queue: { name: m.supervision_queue, Content: Queue },
  chats: { name: m.supervision_chats, Content: ChatSearch },
  search: { name: m.archive_search, Content: null },
  lexicon: { name: m.supervision_lexicon, Content: Lexicon },
  figures: { name: m.supervision_figures, Content: Figures },
}
type Tab = keyof typeof TABS

/** What supervisors do (product.md P202 to P205). The database refuses everybody else; this only spares them the screen. */
export function SupervisionScreen() {
  const rights = useQuery(actsAsSupervisorQuery(useUserId()))
  const [address, setAddress] = useSearchParams()
  const asked = address.get('tab') ?? ''
  const tab: Tab = asked in TABS ? (asked as Tab) : 'queue'
  const { Content } = TABS[tab]
  const [hasSearched, setHasSearched] = useState(false)
  if (tab === 'search' && !hasSearched) setHasSearched(true)
  const wasAllowed = useRef(false)
  useEffect(() => {
    if (rights.data === false && wasAllowed.current) showToast(m.supervision_ended())
    wasAllowed.current = rights.data === true
  }, [rights.data])
  if (rights.data === false) return <Navigate to="/home" replace />
  return (
    <Screen
      wide
      refreshes={REFRESHES}
      header={<PageHeader title={m.supervision_title()} back="/home" />}
    >
      <Tabs
        label={m.supervision_title()}
        tabs={Object.entries(TABS).map(([value, { name }]) => ({
          value: value as Tab,
          label: name(),
        }))}
        value={tab}
        onChange={(next) => setAddress(next === 'queue' ? {} : { tab: next }, { replace: true })}
        panelId="supervision"
      />
      <div id="supervision" role="tabpanel" className="grid grid-cols-1 gap-stack">
        {rights.data && Content && <Content />}
        {/* Each search is recorded: what was found stays while another tab is shown. */}
        {rights.data && hasSearched && (
          <div hidden={tab !== 'search'} className="grid grid-cols-1 gap-stack">
            <ArchiveSearch />
          </div>
        )}
        {rights.isPending && <SkeletonRows />}
        {rights.error && (
          <LoadError
            error={rights.error}
            describe={(message) => m.supervision_error({ message })}
            onRetry={() => void rights.refetch()}
          />
        )}
      </div>
    </Screen>
  )
}
