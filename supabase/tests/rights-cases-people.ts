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

const PHONE = '+13125550142'
type Audiences = { phone_audience?: string; email_audience?: string }

const share = (
  { scene }: Occasion,
  { phone_audience = 'leaders', email_audience = 'everyone' }: Audiences,
) =>
  scene.team.sql(
    `update private.members set phone = $2, phone_audience = $3, email_audience = $4, state = 'TX' where id = $1`,
    [scene.cast.member.id, PHONE, phone_audience, email_audience],
  )

/** Whether any way to read people brings this about the member. */
async function findsAnywhere(occasion: Occasion, words: string): Promise<boolean> {
  const { client } = occasion.me
  const { id } = member(occasion)
  const results = await Promise.all([
    client.from('users').select('*').eq('id', id),
    client.rpc('list_people', { query: 'Mel' }),
    client.rpc('member_profile', { member_id: id }),
    client.rpc('search_members', { query: 'Mel' }),
    client.rpc('chat_members', { chat_id: occasion.squad.id }),
    client.rpc('chat_list'),
    client.rpc('supervisors'),
  ])
  return JSON.stringify(results.map(({ data }) => data as unknown)).includes(words)
}

const haveSponsors = ({ scene }: Occasion) =>
  scene.team.sql('update private.members set sponsor_id = $1 where id <> $1', [scene.stranger.id])

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
      "select status from private.members where id = $1 and status_reason = 'Left'",
      [id],
    )
    await scene.team.sql(
      "update private.members set status = 'active', status_reason = '' where id = $1",
      [id],
    )
    return row?.status === 'suspended'
  },
  'list members with list_members, count_members and member_details': async ({ me, scene }) => {
    const { id } = scene.cast.member
    const results = await Promise.all([
      bringsRows(me.client.rpc('list_members')),
      bringsRows(me.client.rpc('count_members')),
      bringsRows(me.client.rpc('member_details', { member_id: id })),
    ])
    if (new Set(results).size > 1) throw new Error(`results differ: ${results.join()}`)
    return results[0] === true
  },
  "select the member's sponsor": async (occasion) => {
    await haveSponsors(occasion)
    return bringsRows(
      occasion.me.client
        .from('users')
        .select('sponsor_id')
        .match({ id: member(occasion).id, sponsor_id: occasion.scene.stranger.id }),
    )
  },
  'find people with list_people': ({ me }) => bringsRows(me.client.rpc('list_people')),
  'see where people work with people_states': async (occasion) => {
    await share(occasion, {})
    const { data } = (await occasion.me.client.rpc('people_states')) as { data: string[] | null }
    return data?.includes('TX') === true
  },
  "open the member's profile with member_profile": ({ me, scene }) =>
    bringsRows(me.client.rpc('member_profile', { member_id: scene.cast.member.id })),
  "see the member's phone, shown to everyone": async (occasion) => {
    await share(occasion, { phone_audience: 'everyone' })
    return findsAnywhere(occasion, PHONE)
  },
  "see the member's phone, shown to leaders": async (occasion) => {
    await share(occasion, { phone_audience: 'leaders' })
    return findsAnywhere(occasion, PHONE)
  },
  "see the member's phone, shown to nobody": async (occasion) => {
    await share(occasion, { phone_audience: 'nobody' })
    return findsAnywhere(occasion, PHONE)
  },
  'find the member by a phone number that is shown to nobody': async (occasion) => {
    await share(occasion, { phone_audience: 'nobody' })
    return bringsRows(occasion.me.client.from('users').select('id').eq('phone', PHONE))
  },
  "see the member's e-mail, shown to nobody": async (occasion) => {
    await share(occasion, { email_audience: 'nobody' })
    const isSeen = await findsAnywhere(occasion, member(occasion).email)
    await share(occasion, {})
    return isSeen
  },
  'find the member by an e-mail that is shown to nobody': async (occasion) => {
    await share(occasion, { email_audience: 'nobody' })
    const { email } = member(occasion)
    const isFound = [
      await bringsRows(occasion.me.client.rpc('list_people', { query: email })),
      await bringsRows(occasion.me.client.rpc('search_members', { query: email })),
      await bringsRows(occasion.me.client.rpc('list_members', { query: email })),
    ]
    await share(occasion, {})
    return isFound.includes(true)
  },
  'see who the member shows phone and e-mail to': (occasion) =>
    bringsRows(
      occasion.me.client
        .from('users')
        .select('id')
        .eq('id', member(occasion).id)
        .not('phone_audience', 'is', null),
    ),
  "update the member's phone, state and line": (occasion) =>
    change(occasion, {
      phone: '(312) 555-0143',
      phone_audience: 'everyone',
      state: 'ny',
      about: occasion.role,
    }),
  'find their own sponsor with my_sponsor': async (occasion) => {
    await haveSponsors(occasion)
    return bringsRows(occasion.me.client.rpc('my_sponsor'))
  },
  "change the member's sponsor with set_sponsor": async ({ me, scene }) => {
    const [{ id }, sponsor] = [scene.cast.member, scene.cast.creator]
    await scene.team.sql('update private.members set sponsor_id = null')
    await me.client.rpc('set_sponsor', { member_id: id, sponsor_id: sponsor.id })
    const moved = await scene.team.sql(
      'select from private.members where id = $1 and sponsor_id = $2',
      [id, sponsor.id],
    )
    return moved.length > 0
  },
  'say that the member supervises with set_supervisor': async ({ me, scene }) => {
    const { id } = scene.cast.member
    await me.client.rpc('set_supervisor', { member_id: id, can_supervise: true })
    const given = await scene.team.sql(
      'update private.members set can_supervise = false where id = $1 and can_supervise returning id',
      [id],
    )
    return given.length > 0
  },
  "update the member's can_supervise": (occasion) => change(occasion, { can_supervise: true }),
  'see who supervises with supervisors': async ({ me, scene }) => {
    const { id } = scene.stranger
    const set = (can: boolean) =>
      scene.team.sql('update private.members set can_supervise = $2 where id = $1', [id, can])
    await set(true)
    const seen = await bringsRows(me.client.rpc('supervisors'))
    await set(false)
    return seen
  },
  "update the member's sponsor_id": (occasion) =>
    change(occasion, { sponsor_id: occasion.scene.cast.creator.id }),
  "delete the member's profile": (occasion) =>
    bringsRows(occasion.me.client.from('users').delete().eq('id', member(occasion).id).select()),
}
