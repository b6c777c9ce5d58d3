// Attacks with a valid member's token. docs/rights.md has the plain cases; these are the subtle ones.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aScene, type Scene, type Squad } from './rights-scene.ts'
import { aToken, aTeam, anAccount, type Team } from './team.ts'

let team: Team
let scene: Scene
let squad: Squad

beforeAll(async () => {
  team = await aTeam()
  scene = await aScene(team)
  squad = await scene.aSquad()
})
afterAll(() => team?.close())

const REFUSED = '42501'

test('a member cannot give themselves a role or a permission', async () => {
  const { muted } = scene.cast
  for (const gift of [{ role: 'admin' }, { can_send_messages: true }, { rally_enabled: false }]) {
    const { error } = await muted.client.from('users').update(gift).eq('id', muted.id).select()
    expect(error).toMatchObject({
      code: REFUSED,
      message: 'Only an admin may change roles and permissions',
    })
  }
})

test('an update of one’s own name that also sets a permission is refused as a whole', async () => {
  const { member } = scene.cast
  const { error } = await member.client
    .from('users')
    .update({ first_name: 'Boss', role: 'admin' })
    .eq('id', member.id)
  expect(error?.code).toBe(REFUSED)
  const { data } = await member.client.from('users').select('first_name').eq('id', member.id)
  expect(data).toEqual([{ first_name: 'Mel' }])
})

test('a null in a required column is refused without revealing the row', async () => {
  const { admin, member, creator } = scene.cast
  const switches = ['rally_enabled', 'can_create_chats', 'can_send_messages', 'role', 'first_name']
  for (const column of switches) {
    const { error } = await admin.client
      .from('users')
      .update({ [column]: null })
      .eq('id', admin.id)
    expect(error).toMatchObject({
      code: '23502',
      message: `null value in column "${column}" violates not-null constraint`,
      details: null,
    })
  }
  for (const column of ['hidden_chats', 'archived_chats', 'last_name']) {
    const { error } = await member.client
      .from('users')
      .update({ [column]: null })
      .eq('id', member.id)
    expect(error).toMatchObject({
      code: '23502',
      message: `null value in column "${column}" violates not-null constraint`,
      details: null,
    })
  }
  const own = { chat_id: squad.id, user_id: member.id }
  const left = await member.client.from('chat_participants').update({ is_active: null }).match(own)
  expect(left.error).toMatchObject({
    code: '23502',
    message: 'null value in column "is_active" violates not-null constraint',
    details: null,
  })
  const added = await creator.client
    .from('chat_participants')
    .insert({ chat_id: squad.id, user_id: admin.id, is_active: null })
  expect(added.error).toMatchObject({ code: '23502', details: null })
  const role = await admin.client.from('users').update({ role: 'boss' }).eq('id', member.id)
  expect(role.error).toMatchObject({ code: '23514', details: null })
})

test('an admin can update rows whose private columns are hidden from them', async () => {
  const { admin, member } = scene.cast
  const { error } = await admin.client
    .from('users')
    .update({ can_create_chats: true })
    .eq('id', member.id)
  expect(error).toBeNull()
})

test('an update without a filter changes nobody', async () => {
  const { error } = await scene.cast.member.client
    .from('users')
    .update({ first_name: 'Ann' })
    .gte('first_name', '')
  expect(error?.code).toBe(REFUSED)
  expect(await team.sql("select from private.members where first_name = 'Ann'")).toEqual([])
})

test('private fields cannot be inferred by filtering or ordering', async () => {
  const { member, other } = scene.cast
  await team.sql('update private.members set hidden_chats = array[$2::uuid] where id = $1', [
    member.id,
    squad.id,
  ])
  const hidden = await other.client.from('users').select('id').contains('hidden_chats', [squad.id])
  expect(hidden.data).toEqual([])
  const present = await other.client.from('users').select('id').not('hidden_chats', 'is', null)
  expect(present.data).toEqual([{ id: other.id }])
})

test('private fields stay private when users are embedded in a chat', async () => {
  const { data } = await scene.cast.other.client
    .from('chat_participants')
    .select('user_id, users(*)')
    .eq('chat_id', squad.id)
    .eq('user_id', scene.cast.member.id)
    .single<{ users: object }>()
  expect(data?.users).toMatchObject({ first_name: 'Mel', hidden_chats: null, push_token: null })
})

test('the users view cannot be bypassed through a database function', async () => {
  const { error } = await scene.cast.member.client.rpc('pg_read_file', { filename: 'PG_VERSION' })
  expect(error?.code).toBe('PGRST202')
})

test('an account without a confirmed e-mail is not on the team', async () => {
  const id = randomUUID()
  await anAccount(team.sql, { id, email: 'unconfirmed@example.com', traits: {} })
  await team.sql('delete from private.chat_participants where user_id = $1', [id])
  await team.sql('delete from private.members where id = $1', [id])
  await team.sql('update auth.users set email_confirmed_at = null where id = $1', [id])
  const token = await aToken(team.backend, id)
  const get = (path: string) =>
    fetch(`${team.backend.url}/rest/v1/${path}`, {
      headers: { apikey: team.backend.publishableKey, authorization: `Bearer ${token}` },
    }).then((response) => response.json())
  for (const table of ['users', 'chats', 'chat_messages', 'home_content', 'team_settings'])
    expect(await get(table), table).toEqual([])
})
