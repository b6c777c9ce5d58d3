import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import type { Attempts, Occasion } from './attempt.ts'

// A refused channel keeps trying to join, so it is removed as soon as the answer is known.
function mayJoin({ me }: Occasion, topic: string): Promise<boolean> {
  const channel = me.client.channel(topic, { config: { private: true } })
  return new Promise<boolean>((resolve) => {
    channel.subscribe((status) => resolve(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED))
  }).finally(() => me.client.removeChannel(channel))
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

export const liveTopicAttempts: Attempts = {
  'listen on team': (occasion) => mayJoin(occasion, 'team'),
  "listen on the member's user topic": (occasion) =>
    mayJoin(occasion, `user:${occasion.scene.cast.member.id}`),
  "listen on Squad's chat topic": (occasion) => mayJoin(occasion, `chat:${occasion.squad.id}`),
  "listen on the mandatory chat's topic": (occasion) =>
    mayJoin(occasion, `chat:${occasion.scene.team.mandatoryChatId}`),
  "say something on Squad's chat topic": (occasion) =>
    maySay(occasion, `chat:${occasion.squad.id}`),
  "say something on the member's topic": (occasion) =>
    maySay(occasion, `user:${occasion.scene.cast.member.id}`),
  'type in Squad': (occasion) => maySay(occasion, `typing:${occasion.squad.id}`),
}
