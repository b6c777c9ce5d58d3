import { randomUUID } from 'node:crypto'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const asPng = { contentType: 'image/png' }
const member = ({ scene }: Occasion) => scene.cast.member

async function aReaction(occasion: Occasion) {
  const reaction = { message_id: occasion.squad.messageId, user_id: member(occasion).id }
  await occasion.scene.team.sql(
    "insert into public.chat_reactions (message_id, user_id, emoji) values ($1, $2, '👍')",
    [reaction.message_id, reaction.user_id],
  )
  return reaction
}

/** An image the member uploaded to Squad. */
export async function anImage(occasion: Occasion): Promise<string> {
  const path = `${occasion.squad.id}/${randomUUID()}.png`
  const images = member(occasion).client.storage.from('chat-images')
  const { error } = await images.upload(path, PNG, asPng)
  if (error) throw error
  return path
}

const react = (occasion: Occasion, userId: string | null) =>
  bringsRows(
    occasion.me.client
      .from('chat_reactions')
      .insert({ message_id: occasion.squad.messageId, user_id: userId, emoji: '🎉' })
      .select('emoji'),
  )

export const chatExtraAttempts: Attempts = {
  "select chat_reactions to the member's message": async (occasion) => {
    const reaction = await aReaction(occasion)
    return bringsRows(occasion.me.client.from('chat_reactions').select('*').match(reaction))
  },
  "react to the member's message": (occasion) => react(occasion, occasion.me.id || null),
  'react as somebody else': (occasion) =>
    react(occasion, occasion.scene.cast[occasion.role === 'other' ? 'creator' : 'other'].id),
  "take back the member's reaction": async (occasion) => {
    const reaction = await aReaction(occasion)
    return bringsRows(
      occasion.me.client.from('chat_reactions').delete().match(reaction).select('emoji'),
    )
  },
  'find a deletion in Squad with chat_changes': async ({ me, squad, scene }) => {
    await scene.team.sql('update public.chat_messages set is_deleted = true where id = $1', [
      squad.messageId,
    ])
    const args = { chat_id: squad.id, since: '2026-01-01T00:00:00Z' }
    return bringsRows(me.client.rpc('chat_changes', args))
  },
  'see who is in Squad with chat_members': ({ me, squad }) =>
    bringsRows(me.client.rpc('chat_members', { chat_id: squad.id })),
  'add somebody to Squad with add_chat_members': async ({ me, squad, scene }) => {
    const args = { chat_id: squad.id, member_ids: [scene.stranger.id] }
    return succeeds(me.client.rpc('add_chat_members', args))
  },
  "see who read the member's message with message_seen_by": async ({ me, squad, scene }) => {
    const read = 'update private.chat_participants set last_read_at = now() where chat_id = $1'
    await scene.team.sql(read, [squad.id])
    return bringsRows(me.client.rpc('message_seen_by', { message_id: squad.messageId }))
  },
  'find Squad by the name of the member with chats_with_member': async ({ me, squad }) => {
    const { data } = (await me.client.rpc('chats_with_member', { query: 'Mel' })) as {
      data: { chat_id: string }[] | null
    }
    return (data ?? []).some(({ chat_id }) => chat_id === squad.id)
  },
  "restore the member's just deleted message with restore_message": async (occasion) => {
    const { client } = member(occasion)
    const message_id = occasion.squad.messageId
    await client.from('chat_messages').update({ is_deleted: true }).eq('id', message_id)
    return succeeds(occasion.me.client.rpc('restore_message', { message_id }))
  },
  'come back to Squad just left with rejoin_chat': async ({ me, squad, scene }) => {
    await scene.team.sql(
      'update private.chat_participants set left_at = now(), left_by = user_id where chat_id = $1 and not is_active',
      [squad.id],
    )
    return succeeds(me.client.rpc('rejoin_chat', { chat_id: squad.id }))
  },
  'learn of having left Squad with chat_departure': ({ me, squad }) =>
    bringsRows(me.client.rpc('chat_departure', { chat_id: squad.id })),
  'find members with search_members': ({ me }) => bringsRows(me.client.rpc('search_members')),
  'see an image of Squad': async (occasion) => {
    const path = await anImage(occasion)
    const { data } = await occasion.me.client.storage.from('chat-images').download(path)
    return data !== null
  },
  'sign an address for an image of Squad': async (occasion) => {
    const path = await anImage(occasion)
    const { data } = await occasion.me.client.storage.from('chat-images').createSignedUrl(path, 60)
    return data !== null
  },
  'list the images of Squad': async (occasion) => {
    await anImage(occasion)
    const { data } = await occasion.me.client.storage.from('chat-images').list(occasion.squad.id)
    return (data ?? []).length > 0
  },
  'upload an image to Squad': ({ me, squad }) =>
    succeeds(
      me.client.storage.from('chat-images').upload(`${squad.id}/${randomUUID()}.png`, PNG, asPng),
    ),
  'send a file to Squad': async ({ me, squad }) => {
    const id = randomUUID()
    const path = `${squad.id}/${id}.txt`
    const files = me.client.storage.from('chat-images')
    await files.upload(path, 'Prices', { contentType: 'text/plain' })
    const attachment = { kind: 'file', path, name: 'Prices.txt' }
    return succeeds(
      me.client
        .from('chat_messages')
        .insert({ id, chat_id: squad.id, sender_id: me.id || null, message: '', attachment }),
    )
  },
  'take unused images with take_unused_images': ({ me }) =>
    succeeds(me.client.rpc('take_unused_images')),
  "delete the member's image": async (occasion) => {
    const path = await anImage(occasion)
    const { data } = await occasion.me.client.storage.from('chat-images').remove([path])
    return (data ?? []).length === 1
  },
}
