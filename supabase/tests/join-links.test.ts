import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { claimsOf, OPEN_TO_EVERYBODY } from './team.ts'

let backend: TestBackend
let owner: pg.Client
let dana: string
let maya: string

beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'product' })
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query(OPEN_TO_EVERYBODY)
  // The first member of a team is its admin.
  dana = await aMember()
  maya = await aMember()
})

afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

async function aMember(): Promise<string> {
  const id = randomUUID()
  await owner.query(
    `insert into auth.users (id, email, email_confirmed_at, created_at) values ($1, $2, now(), now())`,
    [id, `${id}@example.com`],
  )
  return id
}

async function as<Row>(id: string, text: string, values: unknown[] = []) {
  const role = id === 'anon' ? 'anon' : 'authenticated'
  const claimsText = JSON.stringify(id === 'anon' ? { role } : claimsOf(id))
  const { rows } = await backend.database.runAs({ role, claimsText }, { text, values })
  return rows as Row[]
}

type Link = { id: string; token: string; created_by: string }
const MAKE = `insert into public.join_links (expires_at) values (now() + $1::interval) returning id, created_by`
const TAKE_BACK = 'select public.take_back_join_link($1)'
const SHOW = 'select public.show_join_link($1) as token'

async function aLink(id: string, lasts: string): Promise<Link> {
  const [made] = await as<Omit<Link, 'token'>>(id, MAKE, [lasts])
  const { rows } = await owner.query<{ token: string }>(
    'select token from public.join_links where id = $1',
    [made!.id],
  )
  return { ...made!, ...rows[0]! }
}

async function stateOf(token: string) {
  const [row] = await as<{ state: string }>('anon', 'select public.join_link_state($1) as state', [
    token,
  ])
  return row?.state
}

test('an admin creates an invitation, and anybody with the link sees that it is open', async () => {
  const link = await aLink(dana, '7 days')
  expect(link.created_by).toBe(dana)
  expect(await stateOf(link.token)).toBe('open')
})

test('an expired, a revoked and a made-up invitation are told apart, whoever asks', async () => {
  const expired = await aLink(dana, '-1 minute')
  const takenBack = await aLink(dana, '7 days')
  await as(dana, TAKE_BACK, [takenBack.id])
  expect(await stateOf(expired.token)).toBe('expired')
  expect(await stateOf(takenBack.token)).toBe('taken_back')
  expect(await stateOf('guess')).toBe('unknown')
})

test.each([
  ['are demoted', "role = 'user'", "role = 'admin'"],
  ['are suspended', "status = 'suspended'", "status = 'active'"],
  ['were removed', "status = 'removed', role = 'user'", "status = 'active', role = 'admin'"],
])('the links of an admin are taken back for good when they %s', async (_, ended, restored) => {
  const theo = await aMember()
  const change = (values: string) =>
    owner.query(`update private.members set ${values} where id = $1`, [theo])
  await change("role = 'admin'")
  const open = await aLink(theo, '7 days')
  const expired = await aLink(theo, '-1 minute')
  const danas = await aLink(dana, '7 days')
  for (const values of [ended, restored]) {
    await change(values)
    expect(await stateOf(open.token)).toBe('taken_back')
    expect(await stateOf(expired.token)).toBe('expired')
    expect(await stateOf(danas.token)).toBe('open')
  }
  const fresh = await aLink(theo, '7 days')
  expect(await stateOf(fresh.token)).toBe('open')
})

test('an invitation lasts at most 90 days', async () => {
  await expect(as(dana, MAKE, ['91 days'])).rejects.toMatchObject({ code: '23514' })
})

test('at most 200 invitation links are open at once, also in one request', async () => {
  await owner.query('delete from public.join_links')
  const many = `insert into public.join_links (expires_at)
    select now() + interval '7 days' from generate_series(1, $1) returning id`
  await expect(as(dana, many, [201])).rejects.toMatchObject({ code: 'PT429' })
  const made = await as<{ id: string }>(dana, many, [200])
  await expect(as(dana, MAKE, ['7 days'])).rejects.toMatchObject({ code: 'PT429' })
  await as(dana, TAKE_BACK, [made[0]?.id])
  await as(dana, MAKE, ['7 days'])
  await owner.query('delete from public.join_links')
})

test('a member who is not an admin cannot create, read or revoke invitations', async () => {
  await as(dana, MAKE, ['7 days'])
  await expect(as(maya, MAKE, ['7 days'])).rejects.toMatchObject({ code: '42501' })
  expect(await as(maya, 'select id from public.join_links')).toEqual([])
  await expect(as(maya, SHOW, [randomUUID()])).rejects.toMatchObject({ code: '42501' })
  await expect(as(maya, TAKE_BACK, [randomUUID()])).rejects.toMatchObject({ code: '42501' })
})

test('anonymous callers cannot read or create invitations', async () => {
  await expect(as('anon', 'select id from public.join_links')).rejects.toMatchObject({
    code: '42501',
  })
  await expect(as('anon', MAKE, ['7 days'])).rejects.toMatchObject({ code: '42501' })
})

test('the code in a link is not among what an admin reads: it is shown, while the link is open', async () => {
  const [link, expired, takenBack] = [
    await aLink(dana, '7 days'),
    await aLink(dana, '-1 minute'),
    await aLink(dana, '7 days'),
  ]
  await as(dana, TAKE_BACK, [takenBack.id])
  expect(await as(dana, SHOW, [link.id])).toEqual([{ token: link.token }])
  for (const { id } of [expired, takenBack, { id: randomUUID() }])
    await expect(as(dana, SHOW, [id])).rejects.toMatchObject({ code: 'PT404' })
  for (const query of [
    'select token from public.join_links',
    `${MAKE}, token`.replace('$1', "'7 days'"),
  ])
    await expect(as(dana, query)).rejects.toMatchObject({ code: '42501' })
  const listed = await as(dana, 'select * from public.list_join_links()')
  const copied = await as(dana, 'select public.export_my_data()')
  expect(JSON.stringify(listed)).toContain(link.id)
  expect(JSON.stringify(copied)).toContain(link.id)
  expect(JSON.stringify([listed, copied])).not.toContain(link.token)
})
