import { bringsRows, type Attempts, type Occasion } from './rights-cases.ts'
import { call } from './team.ts'

const mandatory = ({ scene }: Occasion) => scene.team.mandatoryChatId

const select = ({ me }: Occasion, id: string) =>
  bringsRows(me.client.from('chat_messages').select('*').eq('id', id))
const send = ({ me }: Occasion, chatId: string, some: object = {}) =>
  bringsRows(
    me.client
      .from('chat_messages')
      .insert({ chat_id: chatId, sender_id: me.id || null, message: 'hello', ...some })
      .select(),
  )
const update = ({ me }: Occasion, id: string, values: object) =>
  bringsRows(me.client.from('chat_messages').update(values).eq('id', id).select())

const removes = async ({ me, scene }: Occasion, id: string) => {
  await me.client.rpc('remove_message', { message_id: id, reason: 'Off topic' })
  const [message] = await scene.team.sql<{ is_removed: boolean }>(
    'select is_removed from public.chat_messages where id = $1',
    [id],
  )
  return message?.is_removed === true
}

/** A message by the member in the mandatory chat, removed by an admin who is not in the cast, with its id as the reason. */
async function aRemovedMessage({ scene, squad }: Occasion): Promise<string> {
  const id = squad.teamMessageId
  await scene.team.sql(
    `update public.chat_messages set is_deleted = true, deleted_reason = id::text where id = $1`,
    [id],
  )
  return id
}

export const messageAttempts: Attempts = {
  'select messages of Squad': (occasion) => select(occasion, occasion.squad.messageId),
  'select messages of the mandatory chat': (occasion) =>
    select(occasion, occasion.squad.teamMessageId),
  "select the member's deleted message in Squad": (occasion) =>
    select(occasion, occasion.squad.deletedId),
  "select the member's deleted message in the mandatory chat": (occasion) =>
    select(occasion, occasion.squad.teamDeletedId),
  'send to Squad': (occasion) => send(occasion, occasion.squad.id),
  'send to the mandatory chat': (occasion) => send(occasion, mandatory(occasion)),
  'send to a closed group': async (occasion) => {
    await occasion.scene.team.sql('update public.chats set is_active = false where id = $1', [
      occasion.squad.id,
    ])
    return send(occasion, occasion.squad.id)
  },
  'send as somebody else': (occasion) =>
    send(occasion, occasion.squad.id, {
      sender_id: occasion.scene.cast[occasion.role === 'creator' ? 'member' : 'creator'].id,
    }),
  "send with a time of one's own": (occasion) =>
    send(occasion, occasion.squad.id, { sent_at: '2020-01-01T00:00:00Z' }),
  "edit the member's message": (occasion) =>
    update(occasion, occasion.squad.messageId, { message: 'edited' }),
  "edit the member's message in the mandatory chat": (occasion) =>
    update(occasion, occasion.squad.teamMessageId, { message: 'edited' }),
  "delete the member's message": (occasion) =>
    update(occasion, occasion.squad.messageId, { is_deleted: true }),
  "delete the member's message in the mandatory chat": (occasion) =>
    update(occasion, occasion.squad.teamMessageId, {
      is_deleted: true,
      deleted_reason: 'Off topic',
    }),
  "remove the member's message in the mandatory chat with remove_message": (occasion) =>
    removes(occasion, occasion.squad.teamMessageId),
  "remove the member's message in Squad with remove_message": (occasion) =>
    removes(occasion, occasion.squad.messageId),
  "read in the row why an admin removed the member's message": async (occasion) => {
    const id = await aRemovedMessage(occasion)
    return bringsRows(
      occasion.me.client.from('chat_messages').select('id').eq('deleted_reason', id),
    )
  },
  "read with chat_changes why an admin removed the member's message": async (occasion) => {
    const reason = await aRemovedMessage(occasion)
    const { data } = await call<{ deleted_reason: string | null }[]>(occasion.me, 'chat_changes', {
      chat_id: mandatory(occasion),
      since: new Date(Date.now() - 60_000).toISOString(),
    })
    return (data ?? []).some((change) => change.deleted_reason === reason)
  },
  'bring a deleted message back': (occasion) =>
    update(occasion, occasion.squad.deletedId, { is_deleted: false }),
  "move the member's message to another chat": (occasion) =>
    update(occasion, occasion.squad.messageId, { chat_id: mandatory(occasion) }),
  "change the member's message's time or sender": async (occasion) => {
    const time = await update(occasion, occasion.squad.messageId, { sent_at: '2020-01-01' })
    const sender = await update(occasion, occasion.squad.messageId, {
      sender_id: occasion.scene.stranger.id,
    })
    return time || sender
  },
  "delete the member's message for good": ({ me, squad }) =>
    bringsRows(me.client.from('chat_messages').delete().eq('id', squad.messageId).select()),
}
