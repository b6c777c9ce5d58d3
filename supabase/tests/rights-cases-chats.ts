import { bringsRows, type Attempts, type Occasion } from './rights-cases.ts'
import type { Scene } from './rights-scene.ts'

const mandatory = ({ scene }: Occasion) => scene.team.mandatoryChatId
const member = ({ scene }: Occasion) => scene.cast.member.id
const creator = ({ scene }: Occasion) => scene.cast.creator.id

const selectChat = ({ me }: Occasion, id: string) =>
  bringsRows(me.client.from('chats').select('*').eq('id', id))
const updateChat = ({ me }: Occasion, id: string, values: object) =>
  bringsRows(me.client.from('chats').update(values).eq('id', id).select())
const insertChat = ({ me }: Occasion, values: object) =>
  bringsRows(me.client.from('chats').insert(values).select())

async function aForeignGroupWithMe({ me, scene }: Occasion): Promise<string> {
  const [group] = await scene.team.sql<{ id: string }>(
    "insert into public.chats (name, type, created_by) values ('Foreign', 'group', $1) returning id",
    [scene.stranger.id],
  )
  if (await isOnTheTeam(scene, me.id))
    await scene.team.sql(
      'insert into private.chat_participants (chat_id, user_id) values ($1, $2)',
      [group?.id, me.id],
    )
  return group?.id ?? ''
}

/** Anonymous callers and the secret key cannot be participants. */
async function isOnTheTeam({ team }: Scene, id: string): Promise<boolean> {
  return (await team.sql('select from private.members where id::text = $1', [id])).length > 0
}

export const chatAttempts: Attempts = {
  'select Squad': (occasion) => selectChat(occasion, occasion.squad.id),
  'select the mandatory chat': (occasion) => selectChat(occasion, mandatory(occasion)),
  'insert a group as themselves': (occasion) =>
    insertChat(occasion, {
      name: 'Mine',
      type: 'group',
      created_by: occasion.me.id || null,
      is_active: true,
    }),
  "insert a chat in somebody else's name": (occasion) =>
    insertChat(occasion, {
      name: 'Theirs',
      type: 'group',
      created_by: occasion.scene.stranger.id,
      is_active: true,
    }),
  'insert a mandatory chat': (occasion) =>
    insertChat(occasion, {
      name: 'Rally Chat',
      type: 'mandatory',
      created_by: occasion.me.id || null,
    }),
  'make the individual chat of two others': async ({ me, scene }) => {
    const { data: chat } = await me.client
      .from('chats')
      .insert({ type: 'individual', created_by: me.id || null })
      .select()
      .single<{ id: string }>()
    const two = await Promise.all([scene.team.aMember(), scene.team.aMember()])
    return bringsRows(
      me.client
        .from('chat_participants')
        .insert(two.map(({ id }) => ({ chat_id: chat?.id, user_id: id, is_active: true })))
        .select(),
    )
  },
  'rename Squad': (occasion) => updateChat(occasion, occasion.squad.id, { name: 'Troop' }),
  "rename somebody else's group they are in": async (occasion) =>
    updateChat(occasion, await aForeignGroupWithMe(occasion), { name: 'Troop' }),
  "close somebody else's group they are in": async (occasion) =>
    updateChat(occasion, await aForeignGroupWithMe(occasion), { is_active: false }),
  'close Squad': (occasion) => updateChat(occasion, occasion.squad.id, { is_active: false }),
  'give Squad to somebody else': (occasion) =>
    updateChat(occasion, occasion.squad.id, { created_by: occasion.scene.stranger.id }),
  'rename the mandatory chat': (occasion) =>
    updateChat(occasion, mandatory(occasion), { name: 'Mine now' }),
  'delete Squad': ({ me, squad }) =>
    bringsRows(me.client.from('chats').delete().eq('id', squad.id).select()),
  'delete the mandatory chat': (occasion) =>
    bringsRows(occasion.me.client.from('chats').delete().eq('id', mandatory(occasion)).select()),
}

const selectPlace = (occasion: Occasion, chatId: string, userId: string) =>
  bringsRows(
    occasion.me.client
      .from('chat_participants')
      .select('*')
      .eq('chat_id', chatId)
      .eq('user_id', userId),
  )
const updatePlace = (occasion: Occasion, chatId: string, userId: string, values: object) =>
  bringsRows(
    occasion.me.client
      .from('chat_participants')
      .update(values)
      .eq('chat_id', chatId)
      .eq('user_id', userId)
      .select(),
  )
const insertPlace = ({ me }: Occasion, chatId: string, userId: string | null) =>
  bringsRows(
    me.client
      .from('chat_participants')
      .insert({ chat_id: chatId, user_id: userId, is_active: true })
      .select(),
  )

export const participantAttempts: Attempts = {
  'select who is in Squad': (occasion) =>
    selectPlace(occasion, occasion.squad.id, creator(occasion)),
  'select who is in the mandatory chat': (occasion) =>
    selectPlace(occasion, mandatory(occasion), occasion.scene.stranger.id),
  'add somebody to Squad': (occasion) =>
    insertPlace(occasion, occasion.squad.id, occasion.scene.stranger.id),
  'join a foreign group': async (occasion) => {
    const [group] = await occasion.scene.team.sql<{ id: string }>(
      "insert into public.chats (name, type, created_by) values ('Foreign', 'group', $1) returning id",
      [occasion.scene.stranger.id],
    )
    return insertPlace(occasion, group?.id ?? '', occasion.me.id || null)
  },
  "set the member's last_read_at": (occasion) =>
    updatePlace(occasion, occasion.squad.id, member(occasion), {
      last_read_at: new Date().toISOString(),
    }),
  "set the member's muted_until": (occasion) =>
    updatePlace(occasion, occasion.squad.id, member(occasion), { muted_until: 'infinity' }),
  "set the member's mentions_only": (occasion) =>
    updatePlace(occasion, occasion.squad.id, member(occasion), { mentions_only: true }),
  'take the member out of Squad': (occasion) =>
    updatePlace(occasion, occasion.squad.id, member(occasion), { is_active: false }),
  'take the member out of the mandatory chat': async (occasion) => {
    const done = await updatePlace(occasion, mandatory(occasion), member(occasion), {
      is_active: false,
    })
    await occasion.scene.team.sql(
      'update private.chat_participants set is_active = true where user_id = $1',
      [member(occasion)],
    )
    return done
  },
  'bring the ex-participant back': (occasion) =>
    updatePlace(occasion, occasion.squad.id, occasion.scene.cast.ex.id, { is_active: true }),
  "move the member's place to another chat": async (occasion) =>
    updatePlace(occasion, occasion.squad.id, member(occasion), {
      chat_id: (await occasion.scene.aSquad()).id,
      user_id: occasion.scene.stranger.id,
    }),
  "delete the member's place": (occasion) =>
    bringsRows(
      occasion.me.client
        .from('chat_participants')
        .delete()
        .eq('chat_id', occasion.squad.id)
        .eq('user_id', member(occasion))
        .select(),
    ),
}
