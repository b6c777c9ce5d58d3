import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'

const pin = ({ me }: Occasion, message_id: string, created_by: string | null = me.id || null) =>
  bringsRows(me.client.from('chat_pins').insert({ message_id, created_by }).select('message_id'))

async function pinnedByCreator({ scene, squad }: Occasion) {
  await scene.team.sql('insert into public.chat_pins (message_id, created_by) values ($1, $2)', [
    squad.messageId,
    scene.cast.creator.id,
  ])
}

const forward = ({ me, squad }: Occasion, to: string) =>
  succeeds(
    me.client.from('chat_messages').insert({
      chat_id: to,
      sender_id: me.id || null,
      message: 'Not what was said',
      forwarded_from: squad.messageId,
    }),
  )

export const threadAttempts: Attempts = {
  'select what is pinned in Squad': async (occasion) => {
    await pinnedByCreator(occasion)
    const { me, squad } = occasion
    return bringsRows(me.client.from('chat_pins').select('*').eq('chat_id', squad.id))
  },
  "pin the member's message": (occasion) => pin(occasion, occasion.squad.messageId),
  "pin the member's message in the mandatory chat": (occasion) =>
    pin(occasion, occasion.squad.teamMessageId),
  'pin as somebody else': (occasion) => {
    const { cast } = occasion.scene
    const other = occasion.role === 'other' ? cast.creator : cast.other
    return pin(occasion, occasion.squad.messageId, other.id)
  },
  'unpin what the creator pinned in Squad': async (occasion) => {
    await pinnedByCreator(occasion)
    const { me, squad } = occasion
    const mine = me.client.from('chat_pins').delete().eq('message_id', squad.messageId)
    return bringsRows(mine.select('message_id'))
  },
  "forward the member's message within Squad": (occasion) => forward(occasion, occasion.squad.id),
  "forward the member's message of Squad to the mandatory chat": (occasion) =>
    forward(occasion, occasion.scene.team.mandatoryChatId),
}
