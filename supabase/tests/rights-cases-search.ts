// What search_everything finds for whom, kind by kind.
import type { Attempt, Attempts, Occasion } from './rights-cases.ts'
import { call } from './team.ts'

type Found = { kind: string; id: string; is_near: boolean }

async function search({ me }: Occasion, args: Record<string, unknown>): Promise<Found[]> {
  const { data } = await call<Found[]>(me, 'search_everything', args)
  return data ?? []
}

const finds = async (occasion: Occasion, id: string, args: Record<string, unknown>) =>
  (await search(occasion, args)).some((each) => each.id === id)

/** An item of training, active or retired. */
const anItem =
  (isActive: boolean): Attempt =>
  async (occasion) => {
    const [item] = await occasion.scene.team.sql<{ id: string }>(
      `insert into public.training_content (title, category, is_active)
       values ('Persimmon ' || gen_random_uuid(), 'Investments', $1) returning id`,
      [isActive],
    )
    const found = await finds(occasion, item?.id ?? '', { query: 'persimmon' })
    await occasion.scene.team.sql('delete from public.training_content where id = $1', [item?.id])
    return found
  }

/** A notice to the member, published now or later. */
const aNotice =
  (scheduledFor: string | null): Attempt =>
  async (occasion) => {
    const { admin, member } = occasion.scene.cast
    const [notice] = await occasion.scene.team.sql<{ id: string }>(
      `insert into public.team_notices (title, audience, audience_members, scheduled_for, created_by)
       values ('Tamarind', 'members', $1, $2, $3) returning id`,
      [[member.id], scheduledFor, admin.id],
    )
    const found = await finds(occasion, notice?.id ?? '', { query: 'tamarind' })
    await occasion.scene.team.sql('delete from public.team_notices where id = $1', [notice?.id])
    return found
  }

export const searchAttempts: Attempts = {
  'find a message of Squad with search_everything': (occasion) =>
    finds(occasion, occasion.squad.messageId, { query: 'pineapple' }),
  'find a message of Squad by who wrote it and where, with search_everything': (occasion) =>
    finds(occasion, occasion.squad.messageId, { sender: 'Mel', place: 'Squad' }),
  'find a message of Squad with a typo, with search_everything': async (occasion) => {
    await occasion.scene.team.sql(
      "update public.chat_messages set message = 'rambutan' where id = $1",
      [occasion.squad.messageId],
    )
    return finds(occasion, occasion.squad.messageId, { query: 'rambtuan' })
  },
  'find a message of the mandatory chat with search_everything': (occasion) =>
    finds(occasion, occasion.squad.teamMessageId, { query: 'pineapple' }),
  'find a deleted message of Squad with search_everything': (occasion) =>
    finds(occasion, occasion.squad.deletedId, { query: 'pineapple' }),
  'find Squad by its name with search_everything': (occasion) =>
    finds(occasion, occasion.squad.id, { query: 'squad' }),
  'find a stranger by name with search_everything': async (occasion) => {
    const { stranger, team } = occasion.scene
    await team.sql("update private.members set first_name = 'Quintessa' where id = $1", [
      stranger.id,
    ])
    return finds(occasion, stranger.id, { query: 'quintesa' })
  },
  'find a training item with search_everything': anItem(true),
  'find a retired training item with search_everything': anItem(false),
  'find a notice to the member with search_everything': aNotice(null),
  'find a notice to the member for tomorrow with search_everything': aNotice(
    new Date(Date.now() + 86_400_000).toISOString(),
  ),
}
