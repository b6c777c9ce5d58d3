import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useUserId } from '#data/session/session.ts'
import { openPerson } from '#domain/open-person.ts'
import { m } from '#lib/messages/messages.js'
import { Modal } from '#ui/modal.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { FilterChips } from './filter-chips.tsx'
import { forgetSearches, recentSearches, rememberSearch } from './recent-searches.ts'
import { RecentSearches } from './recent-search-list.tsx'
import { pathOf } from './result-groups.ts'
import { Results } from './results.tsx'
import type { Found } from './search-queries.ts'
import { useTypedSearch } from './use-typed-search.ts'

const MOST_TYPED = 200

type SearchDialogProps = {
  /** Closes the search; with a path, that is where to go. */
  onClose: (path?: string) => void
}

/** One search over everything the member may see. The field keeps focus; arrows choose, Enter opens. */
export function SearchDialog({ onClose }: SearchDialogProps) {
  const memberId = useUserId()
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  // Enter came before the response: what it finds first opens.
  const isAwaited = useRef(false)
  const [recent, setRecent] = useState(() => recentSearches(memberId))
  const search = useTypedSearch(typed)
  const optionCount = search.isWanted ? search.optionCount : typed.trim() === '' ? recent.length : 0
  const hasOptions = optionCount > 0
  // There can be fewer results than before.
  const active = Math.max(0, Math.min(chosen, optionCount - 1))

  useEffect(() => {
    if (search.isBehind || !isAwaited.current) return
    isAwaited.current = false
    optionsOf(listId)[0]?.click()
  }, [search.isBehind, listId])

  function choose(index: number) {
    setChosen(index)
    isAwaited.current = false
  }

  function change(next: string) {
    setTyped(next.slice(0, MOST_TYPED))
    choose(0)
    field.current?.focus()
  }

  function open(found: Found) {
    rememberSearch(memberId, typed)
    const path = pathOf(found)
    onClose(path ?? undefined)
    if (!path && found.id) openPerson({ id: found.id, name: found.title ?? '' })
  }

  /** Moves among the options on screen, whichever list they are in. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const options = optionsOf(listId)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && options.length > 0) {
      event.preventDefault()
      const next = (active + step + options.length) % options.length
      choose(next)
      options[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && event.target === field.current) {
      if (search.isBehind && active === 0) isAwaited.current = true
      else options[active]?.click()
    }
  }

  const list = { id: listId, active, onPoint: choose }
  return (
    <Modal open isTall onClose={() => onClose()} focusesField title={m.search_title()}>
      <div className="grid grid-cols-1 content-start gap-3" onKeyDown={onKeyDown}>
        <search className="sticky top-0 z-10 grid grid-cols-1 gap-2 bg-card pb-2">
          <SearchField
            ref={field}
            role="combobox"
            aria-expanded={hasOptions}
            aria-controls={hasOptions ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={hasOptions ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            maxLength={MOST_TYPED}
            enterKeyHint="search"
            label={m.search_placeholder()}
            value={typed}
            onChange={change}
          />
          {typed.length >= MOST_TYPED && (
            <p role="status" className="text-small text-muted">
              {m.search_too_long({ most: MOST_TYPED })}
            </p>
          )}
          <FilterChips typed={typed} onChange={change} />
        </search>
        {search.isWanted ? (
          <Results {...list} search={search} onOpen={open} />
        ) : (
          <RecentSearches
            {...list}
            searches={recent}
            isTyping={typed.trim() !== ''}
            onChoose={change}
            onForget={() => {
              forgetSearches(memberId)
              setRecent([])
            }}
          />
        )}
      </div>
    </Modal>
  )
}

function optionsOf(listId: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[id^="${listId}-"][role=option]`)]
}
