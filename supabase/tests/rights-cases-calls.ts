import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'
import { call } from './team.ts'

const chatList = async ({ me }: Occasion, chatId: string) => {
  const { data } = await call<{ chat_id: string }[]>(me, 'chat_list')
  return (data ?? []).some((chat) => chat.chat_id === chatId)
}

export const callAttempts: Attempts = {
  'call email_confirmed': async ({ me, scene }) => {
    const { data } = await call(me, 'email_confirmed', { user_id: scene.cast.member.id })
    return data === true
  },
  'call require_live_session': ({ me }) => succeeds(me.client.rpc('require_live_session')),
  'call get_user_count': async ({ me }) => {
    const { data } = await call(me, 'get_user_count')
    return typeof data === 'number' && data > 0
  },
  'call vice_presidents': async ({ me, scene }) => {
    const chosen = [scene.cast.admin.id]
    await scene.team.sql('update public.team_settings set vice_presidents = $1', [chosen])
    return bringsRows(me.client.rpc('vice_presidents'))
  },
  'choose a vice president with set_vice_president': async ({ me, scene }) => {
    const { id } = scene.cast.member
    await me.client.rpc('set_vice_president', { member_id: id, is_vice_president: true })
    const [row] = await scene.team.sql<{ is_chosen: boolean }>(
      'select $1 = any (vice_presidents) as is_chosen from public.team_settings',
      [id],
    )
    await scene.team.sql(`update public.team_settings set vice_presidents = '{}'`)
    return row?.is_chosen === true
  },
  'order them with order_vice_presidents': async ({ me, scene }) => {
    const chosen = [scene.cast.member.id, scene.cast.admin.id]
    await scene.team.sql('update public.team_settings set vice_presidents = $1', [chosen])
    await me.client.rpc('order_vice_presidents', { member_ids: chosen.toReversed() })
    const [row] = await scene.team.sql<{ first: string }>(
      'select vice_presidents[1] as first from public.team_settings',
    )
    await scene.team.sql(`update public.team_settings set vice_presidents = '{}'`)
    return row?.first === scene.cast.admin.id
  },
  'call changed_tables': async ({ me, scene }) => {
    await scene.team.sql(
      `select realtime.send('{"table": "users"}'::jsonb, 'content_changed', 'team', true)`,
    )
    return bringsRows(me.client.rpc('changed_tables', { seconds: 60 }))
  },
  'find Squad with chat_list': (occasion) => chatList(occasion, occasion.squad.id),
  'find the mandatory chat with chat_list': (occasion) =>
    chatList(occasion, occasion.scene.team.mandatoryChatId),
  'find a message of Squad with search_messages': async ({ me, squad }) => {
    const { data } = await call<{ message_id: string }[]>(me, 'search_messages', {
      query: 'pineapple',
    })
    return (data ?? []).some((message) => message.message_id === squad.messageId)
  },
  'ask about a link in Squad with link_preview': async ({ me, scene, squad }) => {
    await scene.team.sql('update public.chat_messages set message = $2 where id = $1', [
      squad.messageId,
      'pineapple https://pineapple.example/',
    ])
    return succeeds(
      me.client.rpc('link_preview', {
        message_id: squad.messageId,
        link: 'https://pineapple.example/',
      }),
    )
  },
  'save what a link says with save_link_preview': ({ me }) =>
    succeeds(
      me.client.rpc('save_link_preview', {
        url: 'https://pineapple.example/',
        title: 'Pineapples',
        description: null,
        site: 'pineapple.example',
      }),
    ),
  'create a group with create_chat': ({ me, scene }) =>
    bringsRows(
      me.client.rpc('create_chat', {
        member_ids: [scene.stranger.id, scene.cast.member.id, scene.cast.other.id],
        name: 'New',
        first_message: 'Hello',
      }),
    ),
  'mark Squad as read with mark_chat_read': async ({ me, squad, scene }) => {
    await me.client.rpc('mark_chat_read', { chat_id: squad.id })
    const read = await scene.team.sql<{ user_id: string }>(
      'select user_id from private.chat_participants where chat_id = $1 and last_read_at is not null',
      [squad.id],
    )
    if (read.some((place) => place.user_id !== me.id)) throw new Error('read by somebody else')
    return read.length === 1
  },
  'pin Squad with pin_chat': ({ me, squad }) =>
    succeeds(me.client.rpc('pin_chat', { chat_id: squad.id })),
  'mark Squad as unread with mark_chat_unread': async ({ me, squad, scene }) => {
    await me.client.rpc('mark_chat_unread', { chat_id: squad.id })
    const marked = await scene.team.sql<{ user_id: string }>(
      'select user_id from private.chat_participants where chat_id = $1 and is_marked_unread',
      [squad.id],
    )
    if (marked.some((place) => place.user_id !== me.id)) throw new Error('marked for somebody else')
    return marked.length === 1
  },
  'invite people with plan_invitations': ({ me }) =>
    bringsRows(
      me.client.rpc('plan_invitations', { people: [{ email: `${me.id ?? 'x'}@new.example.com` }] }),
    ),
  'put content in order with reorder_content': ({ me }) =>
    succeeds(me.client.rpc('reorder_content', { content_type: 'home', item_ids: [] })),
  'read auth.users or private.members': async ({ me }) => {
    const accounts = await bringsRows(me.client.schema('auth').from('users').select('id'))
    const members = await bringsRows(me.client.schema('private').from('members').select('id'))
    const inPublic = await bringsRows(me.client.from('members').select('id'))
    return accounts || members || inPublic
  },
  'call a function of the private schema': async ({ me, scene }) => {
    const outside = await succeeds(me.client.schema('private').rpc('is_admin'))
    const inside = await succeeds(
      me.client.rpc('ensure_member', {
        member_id: scene.stranger.id,
        first_name: '',
        last_name: '',
      }),
    )
    return outside || inside
  },
}
