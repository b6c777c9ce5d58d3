import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import type { Attempts, Occasion } from './rights-cases.ts'

// A refused channel keeps rejoining, so it is removed as soon as the result is known.
export async function mayJoin({ me }: Occasion, topic: string): Promise<boolean> {
  const channel = me.client.channel(topic, { config: { private: true } })
  try {
    return await new Promise<boolean>((resolve) => {
      channel.subscribe((status) => resolve(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED))
    })
  } finally {
    await me.client.removeChannel(channel)
  }
}

async function maySay({ me }: Occasion, topic: string): Promise<boolean> {
  const channel = me.client.channel(topic, { config: { private: true } })
  try {
    return (await channel.httpSend('message_inserted', { forged: true })).success
  } catch {
    return false
  } finally {
    await me.client.removeChannel(channel)
  }
}

async function mayBePresent({ me }: Occasion, topic: string): Promise<boolean> {
  const channel = me.client.channel(topic, {
    config: { private: true, presence: { key: me.id || 'nobody', enabled: true } },
  })
  const isJoined = await new Promise<boolean>((resolve) => {
    channel.subscribe((status) => resolve(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED))
  })
  const outcome = isJoined ? await channel.track({}) : 'refused'
  await me.client.removeChannel(channel)
  return outcome === 'ok'
}

/** While everybody else on the team has an individual chat with the member. */
async function inAPair({ me, scene }: Occasion, attempt: () => Promise<boolean>): Promise<boolean> {
  await scene.team.sql(
    `with pair as (
       insert into public.chats (type, created_by)
       select 'individual', m.id from private.members m where m.id::text = $1 and m.id <> $2 returning id
     )
     insert into private.chat_participants (chat_id, user_id) select id, unnest(array[$1::uuid, $2]) from pair`,
    [me.id || '00000000-0000-4000-8000-000000000000', scene.cast.member.id],
  )
  try {
    return await attempt()
  } finally {
    await scene.team.sql("delete from public.chats where type = 'individual'")
  }
}

const onlineMember = ({ scene }: Occasion) => `online:${scene.cast.member.id}`

export const liveTopicAttempts: Attempts = {
  'listen on team': (occasion) => mayJoin(occasion, 'team'),
  "listen on the member's user topic": (occasion) =>
    mayJoin(occasion, `user:${occasion.scene.cast.member.id}`),
  "listen on the member's supervisor topic": (occasion) =>
    mayJoin(occasion, `supervisor:${occasion.scene.cast.member.id}`),
  "listen on Squad's chat topic": (occasion) => mayJoin(occasion, `chat:${occasion.squad.id}`),
  "listen on the mandatory chat's topic": (occasion) =>
    mayJoin(occasion, `chat:${occasion.scene.team.mandatoryChatId}`),
  'see the member online, in a chat of two with them': (occasion) =>
    inAPair(occasion, () => mayJoin(occasion, onlineMember(occasion))),
  'see the member online, in no chat of two with them': (occasion) =>
    mayJoin(occasion, onlineMember(occasion)),
  "be online in the member's place": (occasion) =>
    inAPair(occasion, () => mayBePresent(occasion, onlineMember(occasion))),
  'listen on admins': (occasion) => mayJoin(occasion, 'admins'),
  'say something on admins': (occasion) => maySay(occasion, 'admins'),
  "say something on Squad's chat topic": (occasion) =>
    maySay(occasion, `chat:${occasion.squad.id}`),
  "say something on the member's topic": (occasion) =>
    maySay(occasion, `user:${occasion.scene.cast.member.id}`),
  "say something on Squad's typing topic": (occasion) =>
    maySay(occasion, `typing:${occasion.squad.id}`),
  'be present where Squad types': (occasion) =>
    mayBePresent(occasion, `typing:${occasion.squad.id}`),
  "be present on Squad's chat topic": (occasion) =>
    mayBePresent(occasion, `chat:${occasion.squad.id}`),
  'be present on team': (occasion) => mayBePresent(occasion, 'team'),
  'type in Squad with publish_typing': async ({ me, squad, scene }) => {
    await scene.team.sql("delete from realtime.messages where topic like 'typing:%'")
    await me.client.rpc('publish_typing', { chat_id: squad.id })
    const published = await scene.team.sql<{ payload: { user_id: string } }>(
      "select payload from realtime.messages where topic = 'typing:' || $1",
      [squad.id],
    )
    if (published.some(({ payload }) => payload.user_id !== me.id))
      throw new Error('published in another name')
    return published.length === 1
  },
}
