import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { OPEN_TO_EVERYBODY } from './team.ts'

let backend: TestBackend
let owner: pg.Client
let dana: string
let maya: string
let theo: string

beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'product' })
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query(OPEN_TO_EVERYBODY)
  // The first member of a team is its admin.
  dana = await aMember('Dana')
  maya = await aMember('Maya')
  theo = await aMember('Theo')
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

async function as<Row = Record<string, unknown>>(id: string, text: string, values: unknown[] = []) {
  const role = id === 'anon' ? 'anon' : 'authenticated'
  const claimsText = JSON.stringify(id === 'anon' ? { role } : { role, sub: id })
  const { rows } = await backend.database.runAs({ role, claimsText }, { text, values })
  return rows as Row[]
}

const REFUSED = { code: '42501' }
const BROKEN_RULE = { code: '23514' }

async function saveGoal(member: string, value = 3000, metric = 'cash'): Promise<string> {
  const [row] = await as<{ id: string }>(
    member,
    `select public.save_goal('representative', $1, $2, 'month') as id`,
    [metric, value],
  )
  return row!.id
}

async function log(
  member: string,
  goal: string,
  stage: string,
  some: Record<string, unknown> = {},
) {
  await as(
    member,
    `insert into public.goal_activity (goal_id, stage, quantity, premium, happened_on)
     values ($1, $2, $3, $4, $5)`,
    [goal, stage, some.quantity ?? 1, some.premium ?? null, some.day ?? '2026-11-23'],
  )
}

describe('goals', () => {
  test('saving a goal ends the previous one, so only one is current', async () => {
    const first = await saveGoal(maya)
    const second = await saveGoal(maya, 4000)
    const rows = await as(maya, 'select id from public.goals where ended_at is null')
    expect(rows).toEqual([{ id: second }])
    const ended = await as(
      maya,
      'select ended_at is not null as over from public.goals where id = $1',
      [first],
    )
    expect(ended).toEqual([{ over: true }])
  })

  test('of goals that are saved at once, the last one is current', async () => {
    const clerk = await aMember('Cal')
    await saveGoal(clerk)
    const saved = await Promise.all([1000, 2000, 3000].map((value) => saveGoal(clerk, value)))
    const current = await as(clerk, 'select id from public.goals where ended_at is null')
    expect(current).toHaveLength(1)
    expect(saved).toContain(current[0]?.id)
  })

  test('two current goals of one member are refused', async () => {
    await saveGoal(maya)
    const again = as(
      maya,
      `insert into public.goals (position, metric, value, period)
       values ('representative', 'cash', 1, 'day')`,
    )
    await expect(again).rejects.toMatchObject({ code: '23505' })
  })

  test('nobody sees, saves or ends the goal of another member', async () => {
    const goal = await saveGoal(maya)
    expect(await as(theo, 'select id from public.goals where id = $1', [goal])).toEqual([])
    await as(theo, 'update public.goals set ended_at = now() where id = $1', [goal])
    const [row] = await as(maya, 'select ended_at from public.goals where id = $1', [goal])
    expect(row).toEqual({ ended_at: null })
    const forged = as(
      theo,
      `insert into public.goals (user_id, position, metric, value, period)
       values ($1, 'representative', 'cash', 1, 'day')`,
      [maya],
    )
    await expect(forged).rejects.toMatchObject(REFUSED)
  })

  test("an admin does not see a member's goal either", async () => {
    const goal = await saveGoal(theo)
    expect(await as(dana, 'select id from public.goals where id = $1', [goal])).toEqual([])
  })

  test.each([
    ['a negative number', 'representative', 'cash', -1, 'month'],
    ['nothing', 'representative', 'cash', 0, 'month'],
    ['more than ten million', 'representative', 'cash', 10_000_001, 'month'],
    ['an unknown position', 'emperor', 'cash', 1, 'month'],
    ['an unknown metric', 'representative', 'fame', 1, 'month'],
    ['a year', 'representative', 'cash', 1, 'year'],
  ])('a goal of %s is refused', async (_what, position, metric, value, period) => {
    const saving = as(maya, 'select public.save_goal($1, $2, $3, $4)', [
      position,
      metric,
      value,
      period,
    ])
    await expect(saving).rejects.toMatchObject(BROKEN_RULE)
  })

  test('a refused goal leaves the current one unchanged', async () => {
    const goal = await saveGoal(maya)
    await saveGoal(maya, -1).catch(() => undefined)
    const rows = await as(maya, 'select id from public.goals where ended_at is null')
    expect(rows).toEqual([{ id: goal }])
  })

  test('custom ratios are stored with the goal and bounded', async () => {
    const save = (ratios: string) =>
      as(maya, `select public.save_goal('representative', 'cash', 1, 'day', $1)`, [ratios])
    await save('{"salesPerAppointment": 0.5}')
    await expect(save('[]')).rejects.toMatchObject(BROKEN_RULE)
    await expect(save(JSON.stringify({ a: 'x'.repeat(2000) }))).rejects.toMatchObject(BROKEN_RULE)
  })

  test('a saved goal is never changed, only ended', async () => {
    const goal = await saveGoal(maya)
    const changing = as(maya, 'update public.goals set value = 1 where id = $1', [goal])
    await expect(changing).rejects.toMatchObject(REFUSED)
  })
})

describe('activity', () => {
  test('a member logs activity towards their own goal and deletes it again', async () => {
    const goal = await saveGoal(maya)
    await log(maya, goal, 'appointments', { quantity: 2 })
    const read = () =>
      as(maya, 'select quantity from public.goal_activity where goal_id = $1', [goal])
    expect(await read()).toEqual([{ quantity: 2 }])
    await as(maya, 'delete from public.goal_activity where goal_id = $1', [goal])
    expect(await read()).toEqual([])
  })

  test('an entry cannot be filed under the goal of another member', async () => {
    const goal = await saveGoal(maya)
    await expect(log(theo, goal, 'sales')).rejects.toMatchObject({ code: '23503' })
  })

  test('nobody sees, changes or deletes the activity of another member', async () => {
    const goal = await saveGoal(maya)
    await log(maya, goal, 'sales')
    expect(
      await as(theo, 'select id from public.goal_activity where goal_id = $1', [goal]),
    ).toEqual([])
    await as(theo, 'update public.goal_activity set premium = 5 where goal_id = $1', [goal])
    await as(theo, 'delete from public.goal_activity where goal_id = $1', [goal])
    const rows = await as(maya, 'select premium from public.goal_activity where goal_id = $1', [
      goal,
    ])
    expect(rows).toEqual([{ premium: null }])
  })

  test.each([
    ['stage', 'naps', {}],
    ['quantity of none', 'sales', { quantity: 0 }],
    ['quantity beyond belief', 'sales', { quantity: 501 }],
    ['premium on an appointment', 'appointments', { premium: 800 }],
    ['premium of nothing', 'sales', { premium: 0 }],
  ])('a %s that makes no sense is refused', async (_what, stage, some) => {
    const goal = await saveGoal(maya)
    await expect(log(maya, goal, stage, some)).rejects.toMatchObject(BROKEN_RULE)
  })

  test('totals sum the own activity since a day, by stage and market', async () => {
    const member = await aMember('Noor')
    const warm = await saveGoal(member, 40, 'warm')
    await log(member, warm, 'interviews', { quantity: 7 })
    await log(member, warm, 'interviews', { quantity: 3, day: '2026-01-05' })
    const sales = await saveGoal(member)
    await log(member, sales, 'sales', { premium: 900 })
    await log(member, sales, 'sales', { quantity: 2 })
    await log(theo, await saveGoal(theo), 'sales', { quantity: 50 })
    const totals = await as(
      member,
      `select stage, market, quantity::int, premium::int, with_premium::int
       from public.activity_totals('2026-06-01') order by stage`,
    )
    expect(totals).toEqual([
      { stage: 'interviews', market: 'warm', quantity: 7, premium: 0, with_premium: 0 },
      { stage: 'sales', market: null, quantity: 3, premium: 900, with_premium: 1 },
    ])
  })

  test('deleting an account deletes its goals and activity', async () => {
    const member = await aMember('Gone')
    await log(member, await saveGoal(member), 'plans')
    await owner.query('delete from auth.users where id = $1', [member])
    const left = await owner.query('select 1 from public.goals where user_id = $1', [member])
    expect(left.rowCount).toBe(0)
  })
})

test.each([
  'select * from public.goals',
  'select * from public.goal_activity',
  "select public.save_goal('representative', 'cash', 1, 'day')",
  "select * from public.activity_totals('2026-01-01')",
])('without signing in there is nothing: %s', async (text) => {
  await expect(as('anon', text)).rejects.toMatchObject(REFUSED)
})
