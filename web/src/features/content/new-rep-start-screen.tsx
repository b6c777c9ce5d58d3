import { useQuery } from '@tanstack/react-query'
import { Flag } from 'lucide-react'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { m } from '#lib/messages/messages.js'
import { CardGrid } from '#ui/card-grid.tsx'
import { Card } from '#ui/card.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { Screen } from '#ui/screen.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ContentCard } from './content-card.tsx'
import { ContentList } from './content-list.tsx'
import { NothingYet } from './nothing-yet.tsx'
import { newRepStartQuery, type ContentItem } from './content-queries.ts'
import { onboardingProgress } from './onboarding-progress.ts'
import { progressQuery, tick } from './onboarding-queries.ts'

const TABLES = ['newrepstart_content', 'onboarding_progress']

/** A new representative's first steps, in order, to check off one by one. */
export function NewRepStartScreen() {
  const query = useQuery(newRepStartQuery())
  const { copiedAt } = useCopyState(newRepStartQuery())
  return (
    <Screen
      refreshes={TABLES}
      wide
      header={<PageHeader title={m.content_new_rep_start()} back="/home" />}
    >
      <ContentList
        query={query}
        copiedAt={copiedAt}
        errorText={m.content_error_content()}
        empty={
          <NothingYet
            type="newrepstart"
            picture={<Flag />}
            title={m.content_none_title()}
            text={m.content_none_new_rep()}
          />
        }
      >
        {(items) => <Steps items={items} />}
      </ContentList>
    </Screen>
  )
}

function Steps({ items }: { items: ContentItem[] }) {
  const userId = useUserId()
  const { data: progress, isPending } = useQuery(progressQuery(userId))
  const doneIds = progress?.map(({ item_id }) => item_id)
  return (
    <>
      {doneIds ? (
        <Progress items={items} doneIds={doneIds} />
      ) : (
        // Reserves the space, so that the list doesn't jump when progress arrives; offline it may never.
        isPending && <Skeleton className="h-25 rounded-card" />
      )}
      <CardGrid>
        {items.map((item) => (
          <ContentCard key={item.id} item={item} icon={Flag}>
            <Checkbox
              label={m.content_mark_done()}
              aria-label={m.content_mark_done_label({ title: item.title })}
              checked={doneIds?.includes(item.id) ?? false}
              // Before progress is known, a tap could uncheck a finished step.
              disabled={!doneIds}
              onChange={(event) => tick(userId, { itemId: item.id, isDone: event.target.checked })}
            />
          </ContentCard>
        ))}
      </CardGrid>
    </>
  )
}

function Progress({ items, doneIds }: { items: ContentItem[]; doneIds: string[] }) {
  const { done, total, next } = onboardingProgress(items, doneIds)
  return (
    <Card className="grid grid-cols-1 gap-2">
      <p className="font-semibold" role="status">
        {m.content_progress({ done, total })}
      </p>
      <ProgressBar label={m.content_progress_label()} value={done} max={total} />
      <p className="text-small wrap-anywhere text-muted">
        {next ? m.content_next_step({ title: next.title }) : m.content_all_done()}
      </p>
    </Card>
  )
}
