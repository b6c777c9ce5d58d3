// What a conversation was called and who took part in it at each of its records, from the records of the chat itself.
import type { GuardedClient } from 'backend/postgres/guarded-client.ts'
import { readInPages } from '../read-in-pages.ts'
import type { Extent } from './selection.ts'

export type Participant = { id: string; name: string | null; email: string | null }

type Event = {
  seq: string
  kind: string
  name: string | null
  type: string | null
  member_id: string | null
  member_name: string | null
  member_email: string | null
}

const READ = `
  select r.seq::text, r.kind, r.content ->> 'name' as name, r.content ->> 'type' as type, r.member_id::text,
    case when r.member_id = r.actor_id then r.actor_name else r.content -> 'member' ->> 'name' end as member_name,
    case when r.member_id = r.actor_id then r.actor_email else r.content -> 'member' ->> 'email' end as member_email
  from archive.records r
  where r.chat_id = $1 and r.seq <= $2
    and r.kind in ('chat.created', 'chat.renamed', 'chat.joined', 'chat.left')
  order by r.seq`

/** One at a time: it reads through a cursor. */
export async function openHistory(client: GuardedClient, chatId: string, extent: Extent) {
  const events = readInPages<Event>(client, 'export_history', READ, [chatId, extent.toSeq])
  const present = new Map<string, Participant>()
  let during = new Map<string, Participant>()
  let ahead = await events.next()
  let [name, type] = ['', 'group']

  function take(event: Event) {
    if (event.type) type = event.type
    if (event.name) name = event.name
    const { member_id: id } = event
    if (!id) return
    if (event.kind === 'chat.left') present.delete(id)
    else if (event.kind === 'chat.joined') {
      const participant = { id, name: event.member_name, email: event.member_email }
      present.set(id, participant)
      during.set(id, participant)
    }
  }
  async function advance(beyond: (seq: number) => boolean) {
    while (!ahead.done && !beyond(Number(ahead.value.seq))) {
      take(ahead.value)
      ahead = await events.next()
    }
  }

  return {
    /**
     * As of the records from `from` to `to`, which only grow: everybody who was there for one of them.
     */
    async between(from: number, to: number) {
      await advance((seq) => seq >= from)
      during = new Map(present)
      await advance((seq) => seq > to)
      return { name, type, participants: [...during.values()] }
    },
    close: () => events.return(undefined),
  }
}
