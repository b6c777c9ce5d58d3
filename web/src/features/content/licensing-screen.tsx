import { useQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { LICENSING_CATEGORIES } from '#domain/content-categories.ts'
import { m } from '#lib/messages/messages.js'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ContentCards } from './content-cards.tsx'
import { ContentList } from './content-list.tsx'
import { NothingYet } from './nothing-yet.tsx'
import { licensingCategoriesQuery, licensingQuery } from './content-queries.ts'
import { isNewSince, markSeen, readSeen, startSeeing } from './seen-content.ts'

const TABLES = ['licensing_content']

/** Two tabs of study material. The selected tab is in the address; life insurance is the default. */
export function LicensingScreen() {
  const [search, setSearch] = useSearchParams()
  const panelId = useId()
  const category =
    LICENSING_CATEGORIES.find(({ tab }) => tab === search.get('tab')) ?? LICENSING_CATEGORIES[0]
  const query = useQuery(licensingQuery(category.id))
  const { copiedAt } = useCopyState(licensingQuery(category.id))
  const userId = useUserId()
  const [seen] = useState(() => readSeen(userId))
  const countOf = useCounts(seen)
  useEffect(() => {
    const now = new Date().toISOString()
    startSeeing(
      userId,
      LICENSING_CATEGORIES.map(({ id }) => id),
      now,
    )
    markSeen(userId, category.id, now)
  }, [userId, category.id])
  return (
    <Screen
      refreshes={TABLES}
      wide
      header={<PageHeader title={m.content_licensing()} back="/home" />}
    >
      <Tabs
        label={m.content_licensing()}
        tabs={LICENSING_CATEGORIES.map(({ id, tab, tabName }) => ({
          value: tab,
          label: tabName(),
          detail: countOf(id),
        }))}
        value={category.tab}
        onChange={(tab) => setSearch({ tab }, { replace: true })}
        panelId={panelId}
      />
      <div
        id={panelId}
        role="tabpanel"
        aria-label={category.tabName()}
        className="flex flex-col gap-stack"
      >
        <ContentList
          key={category.id}
          query={query}
          copiedAt={copiedAt}
          errorText={m.content_error_licenses()}
          empty={
            <NothingYet
              type="licensing"
              picture={<BadgeCheck />}
              title={m.content_none_title()}
              text={m.content_none_licensing()}
            />
          }
        >
          {(items) => <ContentCards items={items} icon={BadgeCheck} seenAt={seen[category.id]} />}
        </ContentList>
      </div>
    </Screen>
  )
}

/** What a category holds, and how much of it is new, in words. */
function useCounts(seen: Record<string, string>) {
  const { data, isError } = useQuery(licensingCategoriesQuery())
  return (id: string) => {
    // A space keeps the line until the numbers are here; if they failed, the name is centered.
    if (!data) return isError ? null : '\u00a0'
    const items = data.filter(({ category }) => category === id)
    const fresh = items.filter(({ updated_at }) => isNewSince(updated_at, seen[id]))
    const count = m.content_count({ count: items.length })
    return fresh.length > 0 ? `${count} · ${m.content_count_new({ count: fresh.length })}` : count
  }
}
