import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readAgainUnlessChanging } from './read-again.ts'
import { throttle } from './throttle.ts'
import { useLiveTopic } from './use-live-topic.ts'
import { watchTopic } from './watch-topic.ts'

/** Queries whose key begins like this, read again at most this often. */
type Outdated = { queryKey: QueryKey; everyMs?: number }

const OWN_PROFILE: Outdated = { queryKey: ['users', 'own'] }
/** Read by supervisors alone. */
const SUPERVISES: Outdated = { queryKey: ['users', 'acts as supervisor'] }
const CHATS: Outdated = { queryKey: ['chats'], everyMs: 700 }
const UNREAD: Outdated = { queryKey: ['team_notices', 'unread'], everyMs: 2_000 }
const INBOX: Outdated = { queryKey: ['team_notices', 'mine'], everyMs: 2_000 }
const NOTICES: Outdated = { queryKey: ['team_notices'], everyMs: 2_000 }

/** What a mention outdates. A chat that announces no personal events says who is mentioned. */
export const OUTDATED_BY_MENTION = [UNREAD, INBOX]

/** The tables whose queries a block changes: lists, counts, and whom a search finds. */
export const CHANGED_BY_BLOCK = ['blocks', 'chats', 'team_notices', 'users'] as const

/** What each event on the member's own topic outdates; docs/live-events.md says when it is published. */
const OUTDATED_BY = new Map<string, readonly Outdated[]>([
  ['chat_changed', [CHATS, ...OUTDATED_BY_MENTION]],
  ['permissions_changed', [OWN_PROFILE, SUPERVISES, CHATS]],
  ['saved_changed', [{ queryKey: ['saved_messages'] }]],
  ['blocks_changed', CHANGED_BY_BLOCK.map((table) => ({ queryKey: [table] }))],
  ['report_closed', [...OUTDATED_BY_MENTION, { queryKey: ['reports'] }]],
  ['notifications_read', [NOTICES]],
])

/** What may have changed unheard. */
const OUTDATED_BY_JOIN = [OWN_PROFILE, SUPERVISES, CHATS]

/** What admins publish for every open screen. */
const TEAM_TABLES = [
  'home_content',
  'training_content',
  'newrepstart_content',
  'licensing_content',
  'schedule_content',
  'team_settings',
  'team_notices',
]

/** Keeps what every screen shows of the team and of the member up to date. */
export function useLiveMember(memberId: string): void {
  const client = useQueryClient()
  useLiveTopic('team', TEAM_TABLES)
  useEffect(() => {
    const outdate = outdater(client)
    return watchTopic(`user:${memberId}`, {
      onJoined: () => outdate(OUTDATED_BY_JOIN),
      onEvent: (event) => outdate(OUTDATED_BY.get(event) ?? []),
    })
  }, [client, memberId])
}

/** Reads queries again, each no more often than it may be. */
export function outdater(client: QueryClient): (outdated: readonly Outdated[]) => void {
  const reads = new Map<Outdated, () => void>()
  function readOf(each: Outdated): () => void {
    const { queryKey, everyMs } = each
    const read = () => readAgainUnlessChanging(client, queryKey[0], { queryKey })
    return everyMs ? throttle(read, everyMs) : read
  }
  return (outdated) => {
    for (const each of outdated) {
      const read = reads.get(each) ?? readOf(each)
      reads.set(each, read)
      read()
    }
  }
}
