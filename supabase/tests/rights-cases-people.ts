import { bringsRows, type Attempts, type Occasion } from './rights-cases.ts'

const SECRETS = { push_token: 'secret-token', hidden_chats: [], archived_chats: [] }
const member = ({ scene }: Occasion) => scene.cast.member
const change = (occasion: Occasion, values: object) =>
  bringsRows(occasion.me.client.from('users').update(values).eq('id', member(occasion).id).select())

async function withToken(occasion: Occasion) {
  await occasion.scene.team.sql('update private.members set push_token = $2 where id = $1', [
    member(occasion).id,
    SECRETS.push_token,
  ])
  return occasion.me.client.from('users')
}

export const peopleAttempts: Attempts = {
  "select the member's name and e-mail": async (occasion) => {
    const { data } = await occasion.me.client
      .from('users')
      .select('id, first_name, last_name, email')
      .eq('id', member(occasion).id)
    return data?.[0]?.first_name === 'Mel' && data[0].email === member(occasion).email
  },
  "select the member's private fields": async (occasion) => {
    const users = await withToken(occasion)
    const { data } = await users.select('*').eq('id', member(occasion).id)
    const row = data?.[0] as Record<string, unknown> | undefined
    const shown = Object.keys(SECRETS).filter((column) => (row?.[column] ?? null) !== null)
    if (shown.length % 3 !== 0) throw new Error(`only ${shown.join()} shown`)
    return shown.length === 3
  },
  'find the member by their push token': async (occasion) => {
    const users = await withToken(occasion)
    return bringsRows(users.select('id').eq('push_token', SECRETS.push_token))
  },
  "insert the member's profile": async (occasion) => {
    const { data } = await occasion.me.client
      .from('users')
      .insert({ id: member(occasion).id, email: 'x@example.com', first_name: 'X', role: 'admin' })
      .select()
    const row = data?.[0] as { id: string; role: string; email: string } | undefined
    if (row && (row.role === 'admin') !== (occasion.role === 'admin'))
      throw new Error('the role was the client’s')
    return row?.id === member(occasion).id && row.email === member(occasion).email
  },
  "update the member's name": (occasion) => change(occasion, { last_name: occasion.role }),
  "update the member's private fields": (occasion) =>
    change(occasion, { push_token: occasion.role }),
  "update the member's permissions": async (occasion) => {
    const done = await change(occasion, { can_create_chats: false })
    await occasion.scene.team.sql(
      'update private.members set can_create_chats = true where id = $1',
      [member(occasion).id],
    )
    return done
  },
  "update the member's role": async (occasion) => {
    const done = await change(occasion, { role: 'admin' })
    await occasion.scene.team.sql("update private.members set role = 'user' where id = $1", [
      member(occasion).id,
    ])
    return done
  },
  "update the member's id, e-mail or creation date": async (occasion) => {
    const id = await change(occasion, { id: occasion.scene.stranger.id })
    const email = await change(occasion, { email: 'new@example.com' })
    const createdAt = await change(occasion, { created_at: '2020-01-01' })
    return id || email || createdAt
  },
  'suspend the member with set_member_status': async ({ me, scene }) => {
    const { id } = scene.cast.member
    await me.client.rpc('set_member_status', { member_id: id, status: 'suspended', reason: 'Left' })
    const [row] = await scene.team.sql<{ status: string }>(
      'select status from private.members where id = $1',
      [id],
    )
    await scene.team.sql("update private.members set status = 'active' where id = $1", [id])
    return row?.status === 'suspended'
  },
  'list members with list_members, count_members and member_details': async ({ me, scene }) => {
    const { id } = scene.cast.member
    const answers = await Promise.all([
      bringsRows(me.client.rpc('list_members')),
      bringsRows(me.client.rpc('count_members')),
      bringsRows(me.client.rpc('member_details', { member_id: id })),
    ])
    if (new Set(answers).size > 1) throw new Error(`answers differ: ${answers.join()}`)
    return answers[0] === true
  },
  "delete the member's profile": (occasion) =>
    bringsRows(occasion.me.client.from('users').delete().eq('id', member(occasion).id).select()),
}
