// What blocking somebody takes from both, and that it is nobody else's business.
import { randomUUID } from 'node:crypto'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'

const block = ({ scene }: Occasion, blocker: string, blocked: string) =>
  scene.team.sql(
    'insert into private.blocks (blocker_id, blocked_id) values ($1, $2) on conflict do nothing',
    [blocker, blocked],
  )

async function isBlocked({ scene }: Occasion, blocker: string, blocked: string) {
  const found = await scene.team.sql(
    'select from private.blocks where blocker_id::text = $1 and blocked_id::text = $2',
    [blocker, blocked],
  )
  return found.length > 0
}

/** A chat of the caller with somebody new, who may have blocked them. */
async function aChatOfTwo(occasion: Occasion, by: 'me' | 'other') {
  const { me, scene } = occasion
  const mine = me.id || randomUUID()
  // Who was never let in is in no chat.
  const known = await scene.team.sql('select from private.members where id = $1', [mine])
  if (known.length === 0 || occasion.role === 'anonymous')
    return { other: scene.stranger, id: randomUUID() }
  const other = await scene.team.aMember()
  await scene.team.sql(
    "update private.members set status = 'active' where id = $1 and status <> 'active'",
    [other.id],
  )
  const [chat] = await scene.team.sql<{ id: string }>(
    `insert into public.chats (type, created_by) values ('individual', $1) returning id`,
    [mine],
  )
  const id = chat?.id ?? ''
  await scene.team.sql(
    'insert into private.chat_participants (chat_id, user_id) select $1, unnest($2::uuid[])',
    [id, [mine, other.id]],
  )
  if (by === 'other') await block(occasion, other.id, mine)
  // Leaders block nobody; where one did before, the block rests.
  else if (occasion.role !== 'admin') await block(occasion, mine, other.id)
  return { other, id }
}

const send = ({ me }: Occasion, chat_id: string) =>
  bringsRows(
    me.client
      .from('chat_messages')
      .insert({ chat_id, sender_id: me.id || null, message: 'hello' })
      .select(),
  )

export const blockAttempts: Attempts = {
  'block a stranger with block_member': async (occasion) => {
    const { me, scene } = occasion
    await me.client.rpc('block_member', { member_id: scene.stranger.id })
    const done = await isBlocked(occasion, me.id, scene.stranger.id)
    await scene.team.sql('delete from private.blocks')
    return done
  },
  'block an admin with block_member': async (occasion) => {
    const { me, scene } = occasion
    const leader = await scene.team.aMember({ isAdmin: true })
    await me.client.rpc('block_member', { member_id: leader.id })
    return isBlocked(occasion, me.id, leader.id)
  },
  'end the member’s block with unblock_member': async (occasion) => {
    const { me, scene } = occasion
    await block(occasion, scene.cast.member.id, scene.stranger.id)
    await me.client.rpc('unblock_member', { member_id: scene.stranger.id })
    return !(await isBlocked(occasion, scene.cast.member.id, scene.stranger.id))
  },
  'find the member’s block with blocked_people': async (occasion) => {
    const { me, scene } = occasion
    await block(occasion, scene.cast.member.id, scene.stranger.id)
    const found = await bringsRows(me.client.rpc('blocked_people'))
    await scene.team.sql('delete from private.blocks')
    return found
  },
  'send to a chat of two in which they blocked the other': async (occasion) => {
    if (occasion.role === 'admin') return false
    const { id } = await aChatOfTwo(occasion, 'me')
    return send(occasion, id)
  },
  'send to a chat of two whose other blocked them': async (occasion) => {
    const { id } = await aChatOfTwo(occasion, 'other')
    return send(occasion, id)
  },
  'open a chat of two with who blocked them, with create_chat': async (occasion) => {
    const { other } = await aChatOfTwo(occasion, 'other')
    return succeeds(
      occasion.me.client.rpc('create_chat', {
        member_ids: [other.id],
        name: null,
        first_message: 'hello',
      }),
    )
  },
  'find who blocked them with search_members': async (occasion) => {
    const { other } = await aChatOfTwo(occasion, 'other')
    return bringsRows(occasion.me.client.rpc('search_members', { query: other.email }))
  },
}
