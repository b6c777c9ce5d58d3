import { randomUUID } from 'node:crypto'
import { bringsRows, succeeds, type Attempts, type Occasion } from './rights-cases.ts'
import { call } from './team.ts'

async function anInvitation({ scene }: Occasion): Promise<{ id: string; token: string }> {
  const [link] = await scene.team.sql<{ id: string; token: string }>(
    'insert into public.join_links (created_by) values ($1) returning id, token',
    [scene.cast.admin.id],
  )
  if (!link) throw new Error('no invitation was made')
  return link
}
async function anInvitationByMail({ scene }: Occasion): Promise<{ id: string; email: string }> {
  const [row] = await scene.team.sql<{ id: string; email: string }>(
    'insert into public.invitations (email, invited_by, last_sent_at) values ($1, $2, now()) returning id, email',
    [`${randomUUID()}@example.com`, scene.cast.admin.id],
  )
  if (!row) throw new Error('no invitation was made')
  return row
}
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

export const invitationAttempts: Attempts = {
  'select join_links': async (occasion) => {
    const { id } = await anInvitation(occasion)
    return bringsRows(occasion.me.client.from('join_links').select('id').eq('id', id))
  },
  'select the token of an invitation': async (occasion) => {
    const { id } = await anInvitation(occasion)
    return bringsRows(occasion.me.client.from('join_links').select('token').eq('id', id))
  },
  'see the token with show_join_link': async (occasion) => {
    const { id, token } = await anInvitation(occasion)
    const { data } = await call<string>(occasion.me, 'show_join_link', { link_id: id })
    return data === token
  },
  'make an invitation': ({ me }) =>
    bringsRows(me.client.from('join_links').insert({ expires_at: tomorrow() }).select('id')),
  'make an invitation with a token of their own': ({ me }) =>
    bringsRows(me.client.from('join_links').insert({ token: randomUUID() }).select('id')),
  "make an invitation in somebody else's name": ({ me, scene }) =>
    bringsRows(me.client.from('join_links').insert({ created_by: scene.stranger.id }).select('id')),
  'prolong an invitation': async (occasion) => {
    const { id } = await anInvitation(occasion)
    const links = occasion.me.client.from('join_links')
    return bringsRows(links.update({ expires_at: tomorrow() }).eq('id', id).select('id'))
  },
  'take an invitation back with take_back_join_link': async (occasion) => {
    const { id } = await anInvitation(occasion)
    return succeeds(occasion.me.client.rpc('take_back_join_link', { link_id: id }))
  },
  'delete an invitation for good': async (occasion) => {
    const { id } = await anInvitation(occasion)
    return bringsRows(occasion.me.client.from('join_links').delete().eq('id', id).select('id'))
  },
  'ask join_link_state for a token they know': async (occasion) => {
    const { token } = await anInvitation(occasion)
    const { data } = await call<string>(occasion.me, 'join_link_state', { token })
    return data !== null && data !== 'unknown'
  },
  'select invitations': async (occasion) => {
    const { id } = await anInvitationByMail(occasion)
    return bringsRows(occasion.me.client.from('invitations').select('email').eq('id', id))
  },
  'read them with list_invitations': async (occasion) => {
    await anInvitationByMail(occasion)
    return bringsRows(occasion.me.client.rpc('list_invitations'))
  },
  'count them with count_invitations': ({ me }) => bringsRows(me.client.rpc('count_invitations')),
  'look up addresses with known_addresses': async (occasion) => {
    const { email } = await anInvitationByMail(occasion)
    return bringsRows(occasion.me.client.rpc('known_addresses', { emails: [email] }))
  },
  'take one back with revoke_invitations': async (occasion) => {
    const { id } = await anInvitationByMail(occasion)
    return (await call(occasion.me, 'revoke_invitations', { invitation_ids: [id] })).data === 1
  },
  'ask invitation_state for an id they know': async (occasion) => {
    const { id } = await anInvitationByMail(occasion)
    const { data } = await call(occasion.me, 'invitation_state', { invitation_id: id })
    return data === 'pending'
  },
  'note a refused mail with note_bounce': async (occasion) => {
    const { email } = await anInvitationByMail(occasion)
    return succeeds(
      occasion.me.client.rpc('note_bounce', { address: email, reason: 'Unknown user' }),
    )
  },
  'have one mailed again with renew_invitation': async (occasion) => {
    const { id } = await anInvitationByMail(occasion)
    await occasion.scene.team.sql(
      "update public.invitations set last_sent_at = now() - interval '1 hour' where id = $1",
      [id],
    )
    return bringsRows(occasion.me.client.rpc('renew_invitation', { invitation_id: id }))
  },
  'ask whether one is still to be mailed with prepare_invitation_mail': async (occasion) => {
    const { id } = await anInvitationByMail(occasion)
    const { data } = await call(occasion.me, 'prepare_invitation_mail', { invitation_id: id })
    return data === 'due'
  },
  'ask what became of one that was mailed with settle_invitation_mail': async (occasion) => {
    const { id } = await anInvitationByMail(occasion)
    const { data } = await call(occasion.me, 'settle_invitation_mail', { invitation_id: id })
    return data === 'invited'
  },
  'read links with list_join_links': async (occasion) => {
    await anInvitation(occasion)
    return bringsRows(occasion.me.client.rpc('list_join_links'))
  },
  'write into invitations': ({ me }) =>
    bringsRows(
      me.client
        .from('invitations')
        .insert({ email: `${randomUUID()}@example.com` })
        .select(),
    ),
}
