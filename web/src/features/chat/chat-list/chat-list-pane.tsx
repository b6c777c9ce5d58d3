import { Bookmark, Plus, Search, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import type { ChatFilter } from '#features/chat/model/filter-chats.ts'
import { useChats } from '#features/chat/model/use-chats.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { showError } from '#lib/server/notify-error.ts'
import { useReach } from '#lib/server/server-reach.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { PullToRefresh } from '#ui/pull-to-refresh.tsx'
import { ChatFilters, UnreadFilter, useUnreadOnly } from './chat-filters.tsx'
import { ChatList } from './chat-list.tsx'
import { ChatSearch, SearchMessagesInstead, type SearchMode } from './chat-search.tsx'
import { HiddenChatsNote } from './hidden-chats-note.tsx'
import { MessageResults } from './message-results.tsx'
import { StrandedNote } from './stranded-note.tsx'

// For a search that is being typed.
const OtherPeople = lazy(async () => ({
  default: (await import('./other-people.tsx')).OtherPeople,
}))

const SavedSheet = lazy(async () => ({
  default: (await import('./saved-sheet.tsx')).SavedSheet,
}))

const TABLES = ['chats']

type ChatListPaneProps = {
  openChatId: string | null
  /** The screen shows something else: an open chat, or the form for a new one. */
  isSecondary: boolean
}

/** The chat list with its filters and search. */
export function ChatListPane({ openChatId, isSecondary }: ChatListPaneProps) {
  const memberId = useUserId()
  const navigate = useNavigate()
  const { canCreateChats } = usePermissions()
  const { query, chats, isCopy } = useChats(memberId)
  const [filter, setFilter] = useState<ChatFilter>('all')
  const [isUnreadOnly, setIsUnreadOnly] = useUnreadOnly()
  const [showsSaved, setShowsSaved] = useState(false)
  const [isSearching, setIsSearching] = useState(false)
  const [mode, setMode] = useState<SearchMode>('users')
  const [search, setSearch] = useState('')
  const panelId = useId()
  const panel = useRef<HTMLDivElement>(null)
  const reach = useReach()
  useChatListError(query)

  function showAll() {
    setFilter('all')
    setIsUnreadOnly(false)
    setSearch('')
    // The pressed button disappears, so what it reveals gets focus.
    panel.current?.focus()
  }

  const showsMessages = isSearching && mode === 'messages'
  return (
    <section
      aria-label={m.chat_title()}
      className="mx-auto flex h-full max-w-column flex-col pt-safe"
    >
      <div className="flex flex-none flex-col gap-3 px-5 pb-2">
        <PageHeader
          title={m.chat_title()}
          isSecondary={isSecondary}
          actions={
            <>
              {!isSearching && <UnreadFilter isOn={isUnreadOnly} onChange={setIsUnreadOnly} />}
              <IconButton
                label={m.chat_saved()}
                icon={<Bookmark />}
                onClick={() => setShowsSaved(true)}
              />
              <IconButton
                label={isSearching ? m.chat_search_close() : m.chat_search_open()}
                icon={isSearching ? <X /> : <Search />}
                aria-expanded={isSearching}
                onClick={() => {
                  setIsSearching(!isSearching)
                  setSearch('')
                }}
              />
              {canCreateChats && (
                <IconButton
                  label={m.chat_create_open()}
                  icon={<Plus />}
                  variant="primary"
                  onClick={() => void navigate('/chat/create')}
                />
              )}
            </>
          }
        />
        {isSearching && (
          <ChatSearch
            mode={mode}
            search={search}
            onModeChange={setMode}
            onSearchChange={setSearch}
          />
        )}
        {!isSearching && (
          <ChatFilters
            value={filter}
            onChange={setFilter}
            hasArchived={chats?.some((chat) => chat.is_archived) ?? false}
            panelId={panelId}
          />
        )}
      </div>
      <div
        ref={panel}
        id={panelId}
        role="tabpanel"
        tabIndex={-1}
        aria-label={m.chat_title()}
        className="min-h-0 flex-1 overflow-y-auto focus:outline-0"
      >
        {showsMessages ? (
          <MessageResults search={search} onClear={showAll} />
        ) : (
          <>
            <PullToRefresh tables={TABLES} />
            <ChatList
              chats={chats}
              error={query.error}
              onRetry={() => void query.refetch()}
              filter={isSearching ? 'all' : filter}
              isUnreadOnly={isUnreadOnly && !isSearching}
              search={isSearching ? search : ''}
              openChatId={openChatId}
              onShowAll={filter === 'all' && !isUnreadOnly && !search.trim() ? undefined : showAll}
              otherPeople={
                isSearching &&
                search.trim() !== '' &&
                chats && (
                  <Suspense>
                    <OtherPeople search={search} chats={chats} />
                  </Suspense>
                )
              }
            />
            {isSearching && search.trim() && (
              <SearchMessagesInstead search={search} onSelect={() => setMode('messages')} />
            )}
            <HiddenChatsNote />
            {chats && reach === 'online' && !isCopy && <StrandedNote chats={chats} />}
            {chats && (reach !== 'online' || isCopy) && (
              <p role="status" className="px-5 pb-4 text-center text-note text-muted">
                {reach === 'offline' ? m.chat_offline_list() : m.chat_slow_list()}
              </p>
            )}
          </>
        )}
      </div>
      <Suspense>{showsSaved && <SavedSheet onClose={() => setShowsSaved(false)} />}</Suspense>
    </section>
  )
}

/** Alerts once per failed load, not on every render. */
function useChatListError({ data, error }: { data: unknown; error: unknown }): void {
  const failed = data === undefined ? error : null
  useEffect(() => {
    // Offline, the screen says so, and an alert would add nothing.
    if (failed && navigator.onLine) showError(m.chat_error_loading_chats(), failed)
  }, [failed])
}
