import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { OPEN_TO_EVERYBODY } from './team.ts'

let backend: TestBackend
let owner: pg.Client
let dana: string

beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'product' })
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query(OPEN_TO_EVERYBODY)
  // The first member of a team is its admin.
  dana = await aMember('Dana')
})

afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

async function aMember(firstName: string): Promise<string> {
  const id = randomUUID()
  await owner.query(
    `insert into auth.users (id, email, email_confirmed_at, created_at, raw_user_meta_data)
     values ($1, $2, now(), now(), $3)`,
    [id, `${id}@example.com`, { first_name: firstName, last_name: 'Test' }],
  )
  return id
}

type SignIn = { method: string; minutesAgo: number }

async function as<Row>(id: string, text: string, signIn?: SignIn, values: unknown[] = []) {
  const timestamp = Math.floor(Date.now() / 1000) - (signIn?.minutesAgo ?? 0) * 60
  const amr = signIn ? [{ method: signIn.method, timestamp }] : []
  const claimsText = JSON.stringify({ role: 'authenticated', sub: id, amr })
  const { rows } = await backend.database.runAs(
    { role: 'authenticated', claimsText },
    { text, values },
  )
  return rows as Row[]
}

const DELETE = 'select public.delete_my_account()'
const JUST_NOW: SignIn = { method: 'password', minutesAgo: 0 }

async function accountExists(id: string) {
  const { rowCount } = await owner.query('select from auth.users where id = $1', [id])
  return rowCount === 1
}

async function mandatoryMessage(sender: string, message: string) {
  await as(
    sender,
    `insert into public.chat_messages (chat_id, sender_id, message)
     select id, $1, $2 from public.chats where type = 'mandatory'`,
    JUST_NOW,
    [sender, message],
  )
}

test('a member who just entered the password deletes their own account, and no other', async () => {
  const [maya, theo] = [await aMember('Maya'), await aMember('Theo')]
  await as(maya, DELETE, JUST_NOW)
  expect(await accountExists(maya)).toBe(false)
  expect(await accountExists(theo)).toBe(true)
})

test("a deleted member's messages stay readable without a name", async () => {
  const maya = await aMember('Maya')
  await mandatoryMessage(maya, 'Goodbye, everyone')
  await as(maya, DELETE, JUST_NOW)
  const { rows } = await owner.query<{ first_name: string; email: string | null }>(
    `select u.first_name, u.email from public.chat_messages m
     join private.members u on u.id = m.sender_id where m.message = 'Goodbye, everyone'`,
  )
  expect(rows).toEqual([{ first_name: 'Former', email: null }])
})

test('the audit log of a deleted member keeps the actions without e-mail and network address', async () => {
  const [maya, theo] = [await aMember('Maya'), await aMember('Theo')]
  const note = (payload: object) =>
    owner.query(
      `insert into auth.audit_log_entries (id, payload, created_at, ip_address)
       values (gen_random_uuid(), $1, now(), '203.0.113.7')`,
      [payload],
    )
  for (const id of [maya, theo]) {
    const email = `${id}@example.com`
    await note({ action: 'login', actor_id: id, actor_username: email, log_type: 'account' })
    const traits = { user_id: id, user_email: email }
    await note({ action: 'user_invited', actor_username: 'service_role', traits })
  }
  await as(maya, DELETE, JUST_NOW)
  const { rows } = await owner.query<{ line: string }>(
    `select payload::text || ip_address as line from auth.audit_log_entries
     where payload::text like '%' || $1 || '%'`,
    [maya],
  )
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain('@example.com')
  expect(rows.find(({ line }) => line.includes('login'))?.line).not.toContain('203.0.113.7')
  const { rows: others } = await owner.query(
    `select from auth.audit_log_entries where payload::text like '%' || $1 || '%@example.com%'
     and ip_address <> ''`,
    [theo],
  )
  expect(others).toHaveLength(2)
})

test.each<[string, SignIn | undefined]>([
  ['with a token that does not say how they signed in', undefined],
  ['six minutes after typing the password', { method: 'password', minutesAgo: 6 }],
  ['after following a mailed link', { method: 'otp', minutesAgo: 0 }],
])('a member cannot delete the account %s', async (_, signIn) => {
  const maya = await aMember('Maya')
  await expect(as(maya, DELETE, signIn)).rejects.toMatchObject({ code: '42501' })
  expect(await accountExists(maya)).toBe(true)
})

test('the last admin cannot delete their own account', async () => {
  await expect(as(dana, DELETE, JUST_NOW)).rejects.toThrow('The last admin cannot be removed')
  expect(await accountExists(dana)).toBe(true)
})

test('the export contains the account, the profile and all of the member’s rows, and nobody else’s', async () => {
  const [maya, theo] = [await aMember('Maya'), await aMember('Theo')]
  await mandatoryMessage(maya, 'Mine')
  await mandatoryMessage(theo, 'Not mine')
  const [row] = await as<{ copy: Record<string, unknown> }>(
    maya,
    'select public.export_my_data() as copy',
  )
  expect(row?.copy).toMatchObject({
    account: { id: maya, email: `${maya}@example.com` },
    profile: { id: maya, first_name: 'Maya' },
    chat_messages: [{ sender_id: maya, message: 'Mine' }],
    chat_participants: [{ user_id: maya }],
    goals: [],
    onboarding_progress: [],
  })
  expect(JSON.stringify(row?.copy)).not.toContain(theo)
  expect(JSON.stringify(row?.copy)).not.toContain('encrypted_password')
})

test('the export has what the member reported, blocked and accepted, as they see it, and no note of a reviewer', async () => {
  const [maya, theo, sue] = [await aMember('Maya'), await aMember('Theo'), await aMember('Sue')]
  await owner.query('update private.members set can_supervise = true where id = $1', [sue])
  await as(maya, `select public.report_member('${theo}', 'spam', 'Sells to my customers')`)
  await as(theo, `select public.report_member('${maya}', 'other', 'Said by Theo')`)
  await as(maya, `select public.block_member('${theo}')`)
  await as(maya, 'select public.accept_house_rules(1)')
  await as(
    sue,
    `select public.decide_review_item(i.id, 'violation', 'Not for the reporter', i.version)
     from (select * from public.review_queue() q, lateral (select 1 as version) v) i
     where i.member_id = '${theo}'`,
  )
  const [row] = await as<{ copy: object }>(maya, 'select public.export_my_data() as copy')
  expect(row?.copy).toMatchObject({
    reports: [
      {
        member_id: theo,
        member_name: 'Theo Test',
        reason: 'spam',
        note: 'Sells to my customers',
        outcome: 'violation',
        closed_at: expect.any(String) as string,
      },
    ],
    blocked_people: [
      { member_id: theo, member_name: 'Theo Test', blocked_at: expect.any(String) as string },
    ],
    accepted_house_rules: [{ version: 1, accepted_at: expect.any(String) as string }],
  })
  expect(JSON.stringify(row?.copy)).not.toMatch(/Not for the reporter|Said by Theo/)
  const [others] = await as<{ copy: object }>(theo, 'select public.export_my_data() as copy')
  expect(JSON.stringify(others?.copy)).not.toMatch(/Sells to|blocked_at/)
})

test('the export has nothing that a former admin made for the team and may not read any more', async () => {
  const ada = await aMember('Ada')
  const setRole = 'update private.members set role = $2 where id = $1'
  await owner.query(setRole, [ada, 'admin'])
  await owner.query('insert into public.join_links (created_by) values ($1)', [ada])
  await owner.query(
    `insert into public.team_notices (title, body, created_by, scheduled_for, published_at) values
       ('Planned', 'Not yet', $1, now() + interval '1 day', null), ('Said', 'To all', $1, now(), now())`,
    [ada],
  )
  const copyOf = async () =>
    (
      await as<{ copy: { team_notices: { title: string }[]; join_links: unknown[] } }>(
        ada,
        'select public.export_my_data() as copy',
      )
    )[0]?.copy
  const asAdmin = await copyOf()
  expect(asAdmin?.team_notices.map(({ title }) => title).sort()).toEqual(['Planned', 'Said'])
  expect(asAdmin?.join_links).toHaveLength(1)
  await owner.query(setRole, [ada, 'user'])
  const asMember = await copyOf()
  expect(asMember?.team_notices.map(({ title }) => title)).toEqual(['Said'])
  expect(asMember?.join_links).toEqual([])
})

test('of what the export has, it has the columns that a member may read, so no device’s push address', async () => {
  const maya = await aMember('Maya')
  await as(maya, "select public.register_push_device('token-of-mine', 'android')")
  await owner.query('update private.members set push_token = null where id = $1', [maya])
  const [row] = await as<{ copy: { push_devices: object[] } }>(
    maya,
    'select public.export_my_data() as copy',
  )
  expect(row?.copy.push_devices).toMatchObject([{ platform: 'android' }])
  expect(JSON.stringify(row?.copy)).not.toContain('token-of-mine')
})

test('an export of any size comes in pages, with each row once', async () => {
  const maya = await aMember('Maya')
  await owner.query(
    `insert into public.chat_messages (chat_id, sender_id, message, sent_at)
     select private.mandatory_chat_id(), $1, 'Message ' || n, now() + n * interval '1 second'
     from generate_series(1, 600) n`,
    [maya],
  )
  const messages: string[] = []
  let pages = 0
  for (let hasMore = true; hasMore; pages++) {
    const [row] = await as<{ copy: { chat_messages: { message: string }[]; has_more: boolean } }>(
      maya,
      `select public.export_my_data(${pages}) as copy`,
    )
    messages.push(...(row?.copy.chat_messages ?? []).map(({ message }) => message))
    hasMore = row?.copy.has_more ?? false
  }
  expect(pages).toBe(3)
  expect(new Set(messages).size).toBe(600)
  expect(messages).toHaveLength(600)
})

test('a page beyond the last has no rows', async () => {
  const maya = await aMember('Maya')
  const [row] = await as<{ copy: object }>(maya, 'select public.export_my_data(2147483647) as copy')
  expect(row?.copy).toMatchObject({ chat_participants: [], has_more: false })
})

test('a member takes back their own change of address, and nobody else’s', async () => {
  const [maya, theo] = [await aMember('Maya'), await aMember('Theo')]
  for (const id of [maya, theo]) {
    await owner.query(
      `update auth.users set email_change = 'new@example.com', email_change_confirm_status = 1,
         email_change_sent_at = now() where id = $1`,
      [id],
    )
    await owner.query(
      `insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, expires_at)
       select $1, type::auth.one_time_token_type, gen_random_uuid(), 'new@example.com', now() + interval '1 hour'
       from unnest(array['email_change_token_new', 'email_change_token_current', 'recovery_token']) type`,
      [id],
    )
  }
  const cancel = 'select public.cancel_my_email_change() as kept'
  expect(await as(maya, cancel)).toEqual([{ kept: true }])
  expect(await as(maya, cancel)).toEqual([{ kept: false }])
  const { rows } = await owner.query(
    `select u.email_change, u.email_change_confirm_status as confirmed,
       array(
         select t.token_type::text from auth.one_time_tokens t where t.user_id = u.id order by 1
       ) as links
     from auth.users u where u.id = any ($1) order by u.id = $2 desc`,
    [[maya, theo], maya],
  )
  expect(rows).toEqual([
    { email_change: '', confirmed: 0, links: ['recovery_token'] },
    {
      email_change: 'new@example.com',
      confirmed: 1,
      links: ['email_change_token_current', 'email_change_token_new', 'recovery_token'],
    },
  ])
})

test.each(['export_my_data', 'delete_my_account', 'cancel_my_email_change'])(
  'anonymous callers may not call %s',
  async (name) => {
    const claimsText = JSON.stringify({ role: 'anon' })
    await expect(
      backend.database.runAs(
        { role: 'anon', claimsText },
        { text: `select public.${name}()`, values: [] },
      ),
    ).rejects.toMatchObject({ code: '42501' })
  },
)
