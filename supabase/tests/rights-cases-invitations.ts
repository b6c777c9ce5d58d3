import { randomUUID } from 'node:crypto'
import { bringsRows, type Attempts, type Occasion } from './rights-cases.ts'

async function anInvitation({ scene }: Occasion): Promise<{ id: string; token: string }> {
  const [link] = await scene.team.sql<{ id: string; token: string }>(
    'insert into public.join_links (created_by) values ($1) returning id, token',
    [scene.cast.admin.id],
  )
  if (!link) throw new Error('no invitation was made')
  return link
}
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

export const invitationAttempts: Attempts = {
  'select join_links': async (occasion) => {
    const { id } = await anInvitation(occasion)
    return bringsRows(occasion.me.client.from('join_links').select('token').eq('id', id))
  },
  'make an invitation': ({ me }) =>
    bringsRows(me.client.from('join_links').insert({ expires_at: tomorrow() }).select()),
  'make an invitation with a token of their own': ({ me }) =>
    bringsRows(me.client.from('join_links').insert({ token: randomUUID() }).select()),
  "make an invitation in somebody else's name": ({ me, scene }) =>
    bringsRows(me.client.from('join_links').insert({ created_by: scene.stranger.id }).select()),
  'prolong an invitation': async (occasion) => {
    const { id } = await anInvitation(occasion)
    const links = occasion.me.client.from('join_links')
    return bringsRows(links.update({ expires_at: tomorrow() }).eq('id', id).select())
  },
  'take an invitation back': async (occasion) => {
    const { id } = await anInvitation(occasion)
    return bringsRows(occasion.me.client.from('join_links').delete().eq('id', id).select())
  },
  'ask join_link_is_open for a token they know': async (occasion) => {
    const { token } = await anInvitation(occasion)
    return bringsRows(occasion.me.client.rpc('join_link_is_open', { token }))
  },
}
