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
import { Link, useSearchParams } from 'react-router'
import { m } from '#lib/messages/messages.js'
import { buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Screen } from '#ui/screen.tsx'
import { TileLink } from '#ui/tile-link.tsx'
import { TRAINING_CATEGORIES, type TrainingCategory } from '#lib/content-categories.ts'
import { ContentCards } from './content-cards.tsx'
import { ContentList } from './content-list.tsx'
import { trainingQuery } from './content-queries.ts'

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

const TABLES = ['training_content']

/** Eight categories; the chosen one is in the address and lists its items. */
export function TrainingScreen() {
  const [search] = useSearchParams()
  const category = TRAINING_CATEGORIES.find(({ id }) => id === search.get('category'))
  return category ? <Items category={category} /> : <Categories />
}

function Categories() {
  return (
    <Screen wide header={<PageHeader title={m.content_training()} back="/home" />}>
      <ul className="grid gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
        {TRAINING_CATEGORIES.map(({ id, name }, index) => {
          const Picture = PICTURES[index] ?? LibraryBig
          return (
            <li key={id}>
              <TileLink
                to={`/training?${new URLSearchParams({ category: id }).toString()}`}
                picture={Picture}
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
  return (
    <Screen
      refreshes={TABLES}
      wide
      header={<PageHeader title={category.name()} back="/training" />}
    >
      <ContentList
        query={query}
        errorText={m.content_error_content()}
        empty={
          <EmptyState
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
        {(items) => <ContentCards items={items} badge={category.name()} />}
      </ContentList>
    </Screen>
  )
}
