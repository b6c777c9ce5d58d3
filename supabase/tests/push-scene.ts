// Set-up for the push tests: devices, chats, and what a worker would claim.
import { randomUUID } from 'node:crypto'
import type { Person, Team } from './team.ts'

export type Claimed = {
  id: string
  attempt: number
  channel: string
  token: string
  kind: string
  title: string
  body: string
  chat_id: string | null
  message_id: string | null
  notice_id: string | null
  link: string
  badge: number
  collapse_key: string
  is_pressing: boolean
}

export type PushScene = ReturnType<typeof pushScene>

export function pushScene({ sql }: Team) {
  return {
    async aDevice({ id }: Person, channel = 'fcm'): Promise<{ id: string; token: string }> {
      const token = `${channel}-${randomUUID()}`
      const [device] = await sql<{ id: string }>(
        `insert into public.push_devices (user_id, platform, channel, token)
         values ($1, 'android', $2, $3) returning id`,
        [id, channel, token],
      )
      return { id: device!.id, token }
    },
    async aChat(people: Person[], name = 'Deal desk', type = 'group'): Promise<string> {
      const [chat] = await sql<{ id: string }>(
        'insert into public.chats (name, type, created_by) values ($1, $2, $3) returning id',
        [name, type, people[0]!.id],
      )
      await sql(
        'insert into private.chat_participants (chat_id, user_id) select $1, unnest($2::uuid[])',
        [chat!.id, people.map(({ id }) => id)],
      )
      return chat!.id
    },
    async say(chatId: string, { id }: Person, message: string, mentions: Person[] = []) {
      const [row] = await sql<{ id: string }>(
        `insert into public.chat_messages (chat_id, sender_id, message, mentions)
         values ($1, $2, $3, $4) returning id`,
        [chatId, id, message, mentions.map((person) => person.id)],
      )
      return row!.id
    },
    /** Everything due after the short delay. */
    async claim(channels = ['apns', 'fcm', 'web'], max = 100): Promise<Claimed[]> {
      await sql('select private.publish_due_notices(), private.spread_push_outbox()')
      await sql(
        "update private.push_deliveries set due_at = now() where state = 'waiting' and due_at < now() + interval '3 seconds'",
      )
      return sql<Claimed>('select * from public.claim_push_deliveries($1, $2)', [channels, max])
    },
    settle: (...results: object[]) =>
      sql('select public.settle_push_deliveries($1)', [JSON.stringify(results)]),
    /** State and reason of every delivery, oldest first. */
    fates: () =>
      sql<{ state: string; reason: string | null }>(
        'select state, reason from private.push_deliveries order by id',
      ),
    async clear() {
      await sql('delete from private.push_outbox')
      await sql('delete from public.push_devices')
    },
  }
}
