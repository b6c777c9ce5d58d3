import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { VList, type VListHandle } from 'virtua'
import { m } from '#lib/messages/messages.js'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Modal } from '#ui/modal.tsx'
import { Pressable } from '#ui/pressable.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import {
  emojisQuery,
  findEmojis,
  type Emoji,
  type EmojiGroup,
  type GroupOfEmojis,
} from './emoji-list.ts'

const COLUMNS = 6

const GROUPS: Record<EmojiGroup, () => string> = {
  smileys: m.chat_emoji_smileys,
  people: m.chat_emoji_people,
  animals: m.chat_emoji_animals,
  food: m.chat_emoji_food,
  travel: m.chat_emoji_travel,
  activities: m.chat_emoji_activities,
  objects: m.chat_emoji_objects,
  symbols: m.chat_emoji_symbols,
  flags: m.chat_emoji_flags,
}

type EmojiPickerProps = { onPick: (emoji: string) => void; onClose: () => void }

/** All emojis, by group or by what is typed. */
export function EmojiPicker({ onPick, onClose }: EmojiPickerProps) {
  const { data, error, refetch } = useQuery(emojisQuery())
  const [search, setSearch] = useState('')
  const isSearching = search.trim() !== ''
  const found = isSearching && data ? findEmojis(data, search) : null

  function pick(emoji: string) {
    onClose()
    onPick(emoji)
  }

  return (
    <Modal open onClose={onClose} title={m.chat_emoji_title()}>
      <div className="flex h-[60dvh] flex-col gap-2">
        <SearchField label={m.chat_emoji_search()} value={search} onChange={setSearch} />
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!error && !data && <SkeletonRows />}
        {found?.length === 0 && <EmptyState picture={<SearchX />} title={m.chat_emoji_none()} />}
        {data && found?.length !== 0 && (
          <EmojiRows
            // What is typed begins again at the top.
            key={search}
            rows={found ? rowsOf(found) : data.flatMap(rowsOfGroup)}
            onPick={pick}
          />
        )}
      </div>
    </Modal>
  )
}

type Row = { heading: EmojiGroup } | { emojis: Emoji[] }

function rowsOf(emojis: readonly Emoji[]): Row[] {
  const count = Math.ceil(emojis.length / COLUMNS)
  return Array.from({ length: count }, (_, row) => ({
    emojis: emojis.slice(row * COLUMNS, (row + 1) * COLUMNS),
  }))
}

function rowsOfGroup({ group, emojis }: GroupOfEmojis): Row[] {
  return [{ heading: group }, ...rowsOf(emojis)]
}

const STEPS: Record<string, readonly [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** One stop of the Tab key; the arrow keys move within. */
function EmojiRows({ rows, onPick }: { rows: readonly Row[]; onPick: (emoji: string) => void }) {
  const list = useRef<VListHandle>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(() => ({
    row: rows.findIndex((row) => 'emojis' in row),
    column: 0,
  }))

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const next = placeAfter(rows, at, step)
    setAt(next)
    list.current?.scrollToIndex(next.row, { align: 'nearest' })
    // Once the row is drawn.
    requestAnimationFrame(() => buttonAt(frame.current, next)?.focus())
  }

  return (
    <div ref={frame} onKeyDown={move} className="min-h-0 flex-1">
      <VList ref={list} data={rows} keepMounted={[at.row]} className="h-full">
        {(row, index) =>
          'heading' in row ? (
            <h3 key={row.heading} className="pt-3 pb-1 text-note font-semibold text-muted">
              {GROUPS[row.heading]()}
            </h3>
          ) : (
            <div key={row.emojis[0]?.emoji} className="grid grid-cols-6">
              {row.emojis.map(({ emoji, name }, column) => (
                <Pressable
                  key={emoji}
                  data-at={`${index} ${column}`}
                  tabIndex={index === at.row && column === at.column ? 0 : -1}
                  onFocus={() => setAt({ row: index, column })}
                  onClick={() => onPick(emoji)}
                  aria-label={name}
                  title={name}
                  className="grid min-h-11 place-items-center rounded-field text-figure hover:bg-tint"
                >
                  {emoji}
                </Pressable>
              ))}
            </div>
          )
        }
      </VList>
    </div>
  )
}

type Place = { row: number; column: number }

function placeAfter(
  rows: readonly Row[],
  { row, column }: Place,
  [down, right]: readonly [number, number],
): Place {
  const length = (index: number) => {
    const found = rows[index]
    return found && 'emojis' in found ? found.emojis.length : 0
  }
  const isPast = down !== 0 || column + right < 0 || column + right >= length(row)
  if (!isPast) return { row, column: column + right }
  const direction = down || right
  let next = row + direction
  while (length(next) === 0) {
    if (!rows[next]) return { row, column }
    next += direction
  }
  const wanted = down !== 0 ? column : right > 0 ? 0 : COLUMNS
  return { row: next, column: Math.min(wanted, length(next) - 1) }
}

function buttonAt(frame: HTMLElement | null, { row, column }: Place): HTMLElement | null {
  return frame?.querySelector(`[data-at="${row} ${column}"]`) ?? null
}
