import { readdirSync, readFileSync } from 'node:fs'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'

const SEED = readFileSync(new URL('../seed/demo-team.sql', import.meta.url), 'utf8')

let backend: TestBackend
let owner: pg.Client
beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'product', sql: SEED })
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

async function signIn(email: string): Promise<SupabaseClient> {
  const client = createClient(backend.url, backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  })
  const { error } = await client.auth.signInWithPassword({ email, password: 'rally-demo' })
  if (error) throw error
  return client
}

const counts = async () => {
  const tables = [
    'auth.users',
    'auth.identities',
    'private.members',
    'public.chats',
    'private.chat_participants',
  ]
  const content = ['home', 'training', 'newrepstart', 'licensing', 'schedule'].map(
    (type) => `public.${type}_content`,
  )
  const notices = ['public.team_notices', 'public.notice_receipts']
  const all = [...tables, 'public.chat_messages', ...content, ...notices]
  const { rows } = await owner.query<Record<string, string>>(
    `select ${all.map((table) => `(select count(*) from ${table}) as "${table}"`).join()}`,
  )
  return rows[0]
}

test('loading the demo team again changes nothing', async () => {
  const before = await counts()
  await owner.query('set role postgres')
  await owner.query(SEED)
  await owner.query('reset role')
  expect(await counts()).toEqual(before)
  expect(before).toMatchObject({ 'auth.users': '25', 'private.members': '25' })
})

test('the two vice presidents are the admins', async () => {
  const { rows } = await owner.query<{ email: string }>(
    "select email from private.members where role = 'admin' order by email",
  )
  const admins = ['dana.reyes@example.com', 'theo.brandt@example.com']
  expect(rows.map((row) => row.email)).toEqual(admins)
  const maya = await signIn('maya.ortiz@example.com')
  const named = await maya.rpc('vice_presidents')
  expect(named.data).toMatchObject([{ first_name: 'Dana' }, { first_name: 'Theo' }])
})

test('Maya signs in and has unread chats', async () => {
  const maya = await signIn('maya.ortiz@example.com')
  const { data } = await maya.rpc('chat_list').returns<{ title: string; unread_count: number }[]>()
  expect(
    Object.fromEntries(
      (data as { title: string; unread_count: number }[]).map((chat) => [
        chat.title,
        chat.unread_count,
      ]),
    ),
  ).toMatchObject({
    'Rally Chat': 9,
    'Theo Brandt': 2,
    'Field Squad North': 2,
    'Licensing Exam Prep': 0,
    'Jonah Kim': 0,
    'Sofia Nguyen': 0,
  })
})

test('Maya has a goal, with activity this week', async () => {
  const maya = await signIn('maya.ortiz@example.com')
  const goal = await maya.from('goals').select('metric, value').is('ended_at', null).single()
  expect(goal.data).toEqual({ metric: 'cash', value: 3000 })
  const activity = await maya.from('goal_activity').select('stage, quantity').order('stage')
  expect(activity.data).toEqual([
    { stage: 'appointments', quantity: 2 },
    { stage: 'plans', quantity: 1 },
  ])
})

test('no message is in the future or older than its sender’s account', async () => {
  const { rows } = await owner.query(
    `select m.message from public.chat_messages m join private.members s on s.id = m.sender_id
     where m.sent_at > now() or m.sent_at < s.created_at`,
  )
  expect(rows).toEqual([])
})

test('most members were active lately, two are silent and two never opened the app', async () => {
  const { rows } = await owner.query<{ first_name: string; filter: string }>(
    `select m.first_name, filter
     from private.members m, unnest(array['never_opened', 'silent']) filter
     where private.member_matches(m, filter) order by filter, m.first_name`,
  )
  expect(rows).toEqual([
    { first_name: 'Ben', filter: 'never_opened' },
    { first_name: 'Chloe', filter: 'never_opened' },
    { first_name: 'Noah', filter: 'silent' },
    { first_name: 'Sofia', filter: 'silent' },
  ])
  const lately = await owner.query<{ days: number }>(
    `select extract(day from now() - max(private.last_active_at(id)))::int as days
     from private.members group by id having now() - max(private.last_active_at(id)) < interval '14 days'`,
  )
  expect(lately.rows).toHaveLength(21)
  expect(Math.max(...lately.rows.map(({ days }) => days))).toBe(5)
})

test('nobody wrote anything after they were last active', async () => {
  const { rows } = await owner.query(
    `select m.message from public.chat_messages m
     where m.sent_at > coalesce(private.last_active_at(m.sender_id), '-infinity')`,
  )
  expect(rows).toEqual([])
})

test('every category has something to show', async () => {
  const dana = await signIn('dana.reyes@example.com')
  const training = await dana.from('training_content').select('category')
  expect(new Set(training.data?.map((item) => item.category as string)).size).toBe(8)
  const licensing = await dana.from('licensing_content').select('category')
  expect(new Set(licensing.data?.map((item) => item.category as string)).size).toBe(2)
  const start = await dana.from('newrepstart_content').select('id')
  expect(start.data?.length).toBeGreaterThanOrEqual(5)
  const schedule = await dana.from('schedule_content').select('day_of_week').not('url', 'is', null)
  expect(schedule.data?.length).toBeGreaterThanOrEqual(6)
})

test('no content leads to a made-up site, and some has pictures, each with a description', async () => {
  const pictures = new Set<string>()
  for (const type of ['home', 'training', 'newrepstart', 'licensing', 'schedule']) {
    const { rows } = await owner.query<Record<'url' | 'image_url' | 'image_alt', string | null>>(
      `select url, image_url, image_alt from public.${type}_content`,
    )
    for (const { url, image_url, image_alt } of rows) {
      expect(url ?? '').not.toMatch(/example/)
      expect(image_alt === null).toBe(image_url === null)
      if (image_url) pictures.add(image_url)
    }
    expect(rows.some((item) => item.image_url)).toBe(true)
    expect(rows.some((item) => !item.image_url)).toBe(true)
  }
  const files = readdirSync(new URL('../../web/public/demo', import.meta.url))
  expect([...pictures].sort()).toEqual(files.map((file) => `/demo/${file}`).sort())
})

test('content was written over the past weeks, as the audit log says', async () => {
  const dana = await signIn('dana.reyes@example.com')
  const { data } = await dana.from('home_content').select('title, updated_at').order('sort_order')
  const [welcome, fastStart] = data!.map(
    ({ updated_at }) => (Date.now() - Date.parse(updated_at as string)) / 86_400_000,
  )
  expect(welcome).toBeGreaterThan(7)
  expect(fastStart).toBeGreaterThan(2)
  expect(fastStart).toBeLessThan(4)
})

test('the notices are read by all who were there, and send nothing', async () => {
  const maya = await signIn('maya.ortiz@example.com')
  expect((await maya.rpc('unread_notification_count')).data).toBe(0)
  const mayas = (await maya.rpc('my_notifications')).data as { title: string }[]
  expect(mayas.map(({ title }) => title)).toEqual([
    'Parking on Saturday',
    'What is your number?',
    'What to bring to the exam',
  ])

  const dana = await signIn('dana.reyes@example.com')
  expect((await dana.rpc('unread_notification_count')).data).toBe(0)
  const open = (await dana.rpc('unacknowledged_notices')).data as { id: string; title: string }[]
  expect(open.map(({ title }) => title)).toEqual(['What to bring to the exam'])
  const waiting = await dana.rpc('notice_unacknowledged', { notice_id: open[0]!.id })
  expect((waiting.data as { first_name: string }[]).map((member) => member.first_name)).toEqual([
    'Ben',
    'Chloe',
    'Noah',
    'Sofia',
  ])
  const pushes = await owner.query('select from private.push_outbox where notice_id is not null')
  expect(pushes.rows).toEqual([])
})

test('no notice greets a new member', async () => {
  const { rows } = await owner.query(
    "select title from public.team_notices where must_acknowledge and audience <> 'chat'",
  )
  expect(rows).toEqual([])
})
