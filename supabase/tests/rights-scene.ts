// The scene of docs/rights.md: the group chat "Squad" and one person for every column.
import type { Person, Team } from './team.ts'

export const ROLES = [
  'anonymous',
  'member',
  'other',
  'muted',
  'rally off',
  'outsider',
  'creator',
  'ex',
  'admin',
  'service',
] as const
export type Role = (typeof ROLES)[number]

export type Scene = {
  team: Team
  cast: Record<Role, Person>
  /** On the team, in none of the cast's chats. */
  stranger: Person
  /** A new Squad per case, so that cases do not affect each other. */
  aSquad(): Promise<Squad>
}

export type Squad = {
  id: string
  /** Messages by the member: in Squad and in the mandatory chat, one deleted in each. */
  messageId: string
  deletedId: string
  teamMessageId: string
  teamDeletedId: string
}

export async function aScene(team: Team): Promise<Scene> {
  const cast: Record<Role, Person> = {
    anonymous: team.anonymous(),
    member: await team.aMember({ firstName: 'Mel' }),
    other: await team.aMember(),
    muted: await team.aMember({ canSendMessages: false }),
    'rally off': await team.aMember({ rallyEnabled: false }),
    outsider: await team.aMember(),
    creator: await team.aMember(),
    ex: await team.aMember(),
    admin: await team.aMember({ isAdmin: true }),
    service: team.service(),
  }
  const inSquad = (['member', 'other', 'muted', 'rally off', 'creator'] as const).map(
    (role) => cast[role].id,
  )
  return {
    team,
    cast,
    stranger: await team.aMember(),
    async aSquad() {
      const [squad] = await team.sql<Squad>(
        `with squad as (
           insert into public.chats (name, type, created_by) values ('Squad', 'group', $1) returning id
         ), participants as (
           insert into private.chat_participants (chat_id, user_id, is_active)
           select id, unnest($2::uuid[]), true from squad union all select id, $3, false from squad
         ), messages as (
           insert into public.chat_messages (chat_id, sender_id, message, is_deleted)
           select squad.id, $4::uuid, 'pineapple', deleted
           from squad, (values (false), (true)) states (deleted)
           union all
           select $5::uuid, $4::uuid, 'pineapple', deleted from (values (false), (true)) states (deleted)
           returning id, chat_id, is_deleted
         )
         select squad.id,
           (select m.id from messages m where m.chat_id = squad.id and not is_deleted) as "messageId",
           (select m.id from messages m where m.chat_id = squad.id and is_deleted) as "deletedId",
           (select m.id from messages m where m.chat_id = $5 and not is_deleted) as "teamMessageId",
           (select m.id from messages m where m.chat_id = $5 and is_deleted) as "teamDeletedId"
         from squad`,
        [cast.creator.id, inSquad, cast.ex.id, cast.member.id, team.mandatoryChatId],
      )
      if (!squad) throw new Error('no Squad was made')
      // Nobody has opened it yet.
      await team.sql(
        'update private.chat_participants set last_read_at = null where chat_id = $1',
        [squad.id],
      )
      return squad
    },
  }
}
