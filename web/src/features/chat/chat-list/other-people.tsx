import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useUserId } from '#data/session/session.ts'
import { memberName } from '#domain/member-name.ts'
import { memberSearchQuery } from '#domain/member-search.ts'
import type { ChatSummary } from '#features/chat/model/chat-types.ts'
import { usePermissions } from '#features/chat/model/use-permissions.ts'
import { m } from '#lib/messages/messages.js'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Avatar } from '#ui/avatar.tsx'
import { SearchSection } from './search-section.tsx'

const SETTLE_MS = 250
/** Whoever is not among them is found with one more letter. */
const MOST_SHOWN = 5

type OtherPeopleProps = { search: string; chats: readonly ChatSummary[] }

/** After the chats with somebody found: people of that name who have no chat with the member yet. Pressing one begins it. */
export function OtherPeople({ search, chats }: OtherPeopleProps) {
  const { canCreateChats, canSendMessages } = usePermissions()
  const settled = useDebouncedValue(search.trim(), SETTLE_MS)
  // Fails silently: the chats are what was searched.
  const { data } = useInfiniteQuery({
    ...memberSearchQuery(useUserId(), settled),
    enabled: canCreateChats && canSendMessages && settled !== '',
    placeholderData: (before) => before,
  })
  const known = new Set(chats.map((chat) => chat.other_user_id))
  const people = data?.pages.flat().filter(({ id }) => !known.has(id)) ?? []
  if (people.length === 0) return null
  return (
    <SearchSection title={m.chat_search_others()}>
      {people.slice(0, MOST_SHOWN).map((person) => (
        <li key={person.id}>
          <Link
            to={`/chat/create?with=${person.id}`}
            className="flex min-h-15 items-center gap-3 rounded-card px-2 hover:bg-tint"
          >
            <Avatar name={memberName(person)} seed={person.id} />
            <span className="min-w-0">
              <span className="block truncate font-semibold">{memberName(person)}</span>
              <span className="block truncate text-note text-muted">{person.email}</span>
            </span>
          </Link>
        </li>
      ))}
    </SearchSection>
  )
}
