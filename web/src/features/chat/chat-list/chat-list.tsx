import { useQuery } from '@tanstack/react-query'
import { CheckCheck, MessageCircleOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { callFunction } from '#data/call-function.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import {
  filterChats,
  isCalled,
  matchChats,
  unreadChats,
  type ChatFilter,
} from '#features/chat/model/filter-chats.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { useNow } from '#lib/use-now.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { ChatCard } from './chat-card.tsx'
import { SearchSection } from './search-section.tsx'
import { sortChats } from './sort-chats.ts'

type ChatListProps = {
  chats: ChatSummary[] | undefined
  error: unknown
  onRetry: () => void
  filter: ChatFilter
  isUnreadOnly: boolean
  search: string
  openChatId: string | null
  /** Clears filter and search; absent if neither hides a chat. */
  onShowAll?: (() => void) | undefined
  /** Of a search: people without a chat, between those with one and the groups. */
  otherPeople?: ReactNode
}

export function ChatList(props: ChatListProps) {
  const { chats, filter, isUnreadOnly, search, openChatId } = props
  const now = useNow()
  const { canCreateChats } = usePermissions()
  const { data: withMember = [] } = useQuery({
    queryKey: ['chat_participants', 'search', search],
    queryFn: () => callFunction('chats_with_member', { query: search }),
    enabled: search.trim().length > 0,
    placeholderData: (previous) => previous,
  })

  if (!chats) return <Unloaded error={props.error} onRetry={props.onRetry} />
  const filtered = filterChats(chats, filter)
  const listed = isUnreadOnly ? unreadChats(filtered, openChatId) : filtered
  const members = new Map(withMember.map((found) => [found.chat_id, found]))
  const shown = sortChats(matchChats(listed, search, members))
  const isAllRead = isUnreadOnly && filtered.length > 0
  if (shown.length === 0) {
    const empty = (
      <EmptyState
        picture={isAllRead ? <CheckCheck /> : <MessageCircleOff />}
        title={isAllRead ? m.chat_none_unread() : m.chat_no_chats_found()}
        text={isAllRead ? m.chat_none_unread_hint() : m.chat_no_chats_hint()}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            {props.onShowAll && (
              <Button variant="tint" onClick={props.onShowAll}>
                {m.chat_show_all()}
              </Button>
            )}
            {canCreateChats && !isAllRead && (
              <Link to="/chat/create" className={buttonLook(props.onShowAll ? 'ghost' : 'tint')}>
                {m.chat_create_open()}
              </Link>
            )}
          </div>
        }
      />
    )
    return (
      <>
        {empty}
        {props.otherPeople}
      </>
    )
  }
  const whyFound = (chat: ChatSummary) =>
    chat.type === 'individual' || isCalled(chat, search) ? undefined : members.get(chat.chat_id)
  const cardOf = (chat: ChatSummary) => (
    <ChatCard
      key={chat.chat_id}
      chat={chat}
      now={now}
      isOpen={chat.chat_id === openChatId}
      found={whyFound(chat)}
    />
  )
  if (!search.trim()) return <ul className="px-3 pb-6">{shown.map(cardOf)}</ul>
  const people = filterChats(shown, 'individual')
  const groups = filterChats(shown, 'groups')
  return (
    <>
      {people.length > 0 && (
        <SearchSection title={m.chat_search_people()}>{people.map(cardOf)}</SearchSection>
      )}
      {props.otherPeople}
      {groups.length > 0 && (
        <SearchSection title={m.chat_filter_groups()}>{groups.map(cardOf)}</SearchSection>
      )}
    </>
  )
}

function Unloaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error) {
    const describe = (message: string) => `${m.chat_error_loading_chats()}: ${message}`
    return <LoadError error={error} describe={describe} onRetry={onRetry} />
  }
  return (
    <div className="px-5">
      <SkeletonRows />
    </div>
  )
}
