import { useQuery } from '@tanstack/react-query'
import { BookOpenText, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { LEXICON_CATEGORIES } from '#domain/lexicon-categories.ts'
import { formatCount } from '#lib/i18n/format-count.ts'
import { m } from '#lib/messages/messages.js'
import { Button } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { RowList } from '#ui/row-list.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { EntryForm } from './entry-form.tsx'
import { filterLexicon, type LexiconFilter } from './filter-lexicon.ts'
import { lexiconQuery, type LexiconEntry } from './supervision-queries.ts'
import { categoryName, LANGUAGES, phraseOf } from './supervision-words.ts'
import { TestPhrase } from './test-phrase.tsx'

const NO_FILTER: LexiconFilter = { words: '', category: '', language: '' }

/** The words and phrases that put a message into the queue. */
export function Lexicon() {
  const { data: entries, error, refetch } = useQuery(lexiconQuery())
  const [filter, setFilter] = useState(NO_FILTER)
  const [edited, setEdited] = useState<LexiconEntry | 'new' | null>(null)
  const [added, setAdded] = useState<string>()
  // What was just added would be far down, by its category and phrase.
  const shown =
    entries &&
    filterLexicon(entries, filter).toSorted(
      (one, other) => Number(other.id === added) - Number(one.id === added),
    )
  return (
    <>
      <p className="max-w-prose text-muted">{m.supervision_lexicon_text()}</p>
      <TestPhrase />
      <Filters filter={filter} onChange={setFilter} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        {/* Keeps its line, so that the list stays where it is. */}
        <p role="status" className="min-h-6 text-note text-muted tabular-nums">
          {shown &&
            m.supervision_lexicon_count({
              shown: formatCount(shown.length),
              count: formatCount(entries.length),
            })}
        </p>
        <Button variant="tint" onClick={() => setEdited('new')}>
          <Plus aria-hidden="true" className="size-5" />
          {m.supervision_entry_add()}
        </Button>
      </div>
      {!entries && !error && <SkeletonRows />}
      {!entries && error && (
        <LoadError
          error={error}
          describe={(message) => m.supervision_error({ message })}
          onRetry={() => void refetch()}
        />
      )}
      {entries?.length === 0 && (
        <EmptyState
          picture={<BookOpenText />}
          title={m.supervision_lexicon_empty()}
          text={m.supervision_lexicon_empty_text()}
        />
      )}
      {entries && entries.length > 0 && shown?.length === 0 && (
        <EmptyState
          picture={<SearchX />}
          title={m.supervision_lexicon_none()}
          text={m.supervision_lexicon_none_text()}
          action={
            <Button variant="ghost" onClick={() => setFilter(NO_FILTER)}>
              {m.supervision_lexicon_all()}
            </Button>
          }
        />
      )}
      {shown && shown.length > 0 && (
        <RowList>
          {shown.map((entry) => (
            <li key={entry.id}>
              <EntryRow
                entry={entry}
                isAdded={entry.id === added}
                onOpen={() => setEdited(entry)}
              />
            </li>
          ))}
        </RowList>
      )}
      {edited && (
        <EntryForm
          entry={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onAdded={(id) => {
            setFilter(NO_FILTER)
            setAdded(id)
          }}
        />
      )}
    </>
  )
}

type FiltersProps = { filter: LexiconFilter; onChange: (filter: LexiconFilter) => void }

function Filters({ filter, onChange }: FiltersProps) {
  return (
    <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
      <div className="col-span-2">
        <SearchField
          label={m.supervision_lexicon_search()}
          maxLength={100}
          value={filter.words}
          onChange={(words) => onChange({ ...filter, words })}
        />
      </div>
      <SelectField
        label={m.supervision_entry_category()}
        value={filter.category}
        onChange={(event) => onChange({ ...filter, category: event.target.value })}
        options={[
          { value: '', label: m.supervision_lexicon_any_category() },
          ...Object.keys(LEXICON_CATEGORIES).map((value) => ({
            value,
            label: categoryName(value),
          })),
        ]}
      />
      <SelectField
        label={m.supervision_entry_language()}
        value={filter.language}
        onChange={(event) => onChange({ ...filter, language: event.target.value })}
        options={[{ value: '', label: m.supervision_lexicon_any_language() }, ...LANGUAGES]}
      />
    </div>
  )
}

type EntryRowProps = { entry: LexiconEntry; isAdded: boolean; onOpen: () => void }

function EntryRow({ entry, isAdded, onOpen }: EntryRowProps) {
  return (
    <Pressable
      onClick={onOpen}
      className={classNames(
        'flex min-h-target w-full flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2.5 text-left hover:bg-tint',
        isAdded && 'bg-tint',
      )}
    >
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{phraseOf(entry)}</span>
        <span className="block text-note text-muted">
          {categoryName(entry.category)} ·{' '}
          {m.supervision_entry_caught({
            count: formatCount(entry.caught),
            violations: formatCount(entry.violations),
          })}
        </span>
      </span>
      {!entry.is_active && <Chip tone="quiet">{m.supervision_entry_paused()}</Chip>}
    </Pressable>
  )
}
