import { useQuery } from '@tanstack/react-query'
import {
  CalendarPlus,
  ClipboardList,
  FileCheck,
  Handshake,
  LibraryBig,
  Repeat,
  TrendingUp,
  Users,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCopyState } from '#data/kept/kept-queries.ts'
import { useUserId } from '#data/session/session.ts'
import { TRAINING_CATEGORIES, type TrainingCategory } from '#domain/content-categories.ts'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { TileLink } from '#ui/tile-link.tsx'
import { ContentCards } from './content-cards.tsx'
import { ContentList } from './content-list.tsx'
import { NothingYet } from './nothing-yet.tsx'
import { trainingCategoriesQuery, trainingQuery } from './content-queries.ts'
import { isNewSince, markSeen, readSeen, startSeeing } from './seen-content.ts'

const PICTURES = [
  CalendarPlus,
  Handshake,
  ClipboardList,
  Repeat,
  TrendingUp,
  FileCheck,
  Users,
  LibraryBig,
]

/** The icon of a category, for its tile and for its items without a picture. */
function pictureOf(category: string) {
  const index = TRAINING_CATEGORIES.findIndex(({ id }) => id === category)
  return PICTURES[index] ?? LibraryBig
}

const TABLES = ['training_content']

/** Eight categories. The selected one is in the address and lists its items. */
export function TrainingScreen() {
  const [search] = useSearchParams()
  const category = TRAINING_CATEGORIES.find(({ id }) => id === search.get('category'))
  return category ? <Items key={category.id} category={category} /> : <Categories />
}

function Categories() {
  const userId = useUserId()
  const { data } = useQuery(trainingCategoriesQuery())
  const seen = readSeen(userId)
  useEffect(() => {
    const ids = TRAINING_CATEGORIES.map(({ id }) => id)
    startSeeing(userId, ids, new Date().toISOString())
  }, [userId])
  return (
    <Screen
      refreshes={TABLES}
      wide
      header={<PageHeader title={m.content_training()} back="/home" />}
    >
      <ul className="grid gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
        {TRAINING_CATEGORIES.map(({ id, name }) => {
          const items = data?.filter(({ category }) => category === id)
          const fresh = items?.filter(({ updated_at }) => isNewSince(updated_at, seen[id])) ?? []
          return (
            <li key={id}>
              <TileLink
                to={`/training?${new URLSearchParams({ category: id }).toString()}`}
                picture={pictureOf(id)}
                // A space keeps the line until the numbers are here.
                detail={items ? m.content_count({ count: items.length }) : '\u00a0'}
                news={fresh.length > 0 && m.content_count_new({ count: fresh.length })}
              >
                {name()}
              </TileLink>
            </li>
          )
        })}
      </ul>
    </Screen>
  )
}

function Items({ category }: { category: TrainingCategory }) {
  const query = useQuery(trainingQuery(category.id))
  const { copiedAt } = useCopyState(trainingQuery(category.id))
  const userId = useUserId()
  const [seenAt] = useState(() => readSeen(userId)[category.id])
  useEffect(() => markSeen(userId, category.id, new Date().toISOString()), [userId, category.id])
  return (
    <Screen
      refreshes={TABLES}
      wide
      header={<PageHeader title={category.name()} back="/training" />}
    >
      <ContentList
        query={query}
        copiedAt={copiedAt}
        errorText={m.content_error_content()}
        empty={
          <NothingYet
            type="training"
            picture={<LibraryBig />}
            title={m.content_none_title()}
            text={m.content_none_training()}
            action={
              <Link to="/training" className={buttonLook('tint')}>
                {m.content_browse_other()}
              </Link>
            }
          />
        }
      >
        {(items) => <ContentCards items={items} icon={pictureOf(category.id)} seenAt={seenAt} />}
      </ContentList>
    </Screen>
  )
}
