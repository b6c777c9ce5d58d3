import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBackend, type TestBackend } from 'backend/testing/start-test-backend.ts'
import { OPEN_TO_EVERYBODY } from './team.ts'

let backend: TestBackend
let owner: pg.Client
let dana: string
let theo: string
let maya: string

beforeAll(async () => {
  backend = await startTestBackend({ migrations: 'product' })
  owner = new pg.Client({ connectionString: backend.superuserUrl })
  await owner.connect()
  await owner.query(OPEN_TO_EVERYBODY)
  dana = await aMember('Dana', 'admin')
  theo = await aMember('Theo', 'admin')
  maya = await aMember('Maya', 'user')
})

afterAll(async () => {
  await owner?.end()
  await backend?.close()
})

async function aMember(firstName: string, role: 'admin' | 'user'): Promise<string> {
  const id = randomUUID()
  await owner.query(
    `insert into auth.users (id, email, email_confirmed_at, created_at, raw_user_meta_data)
     values ($1, $2, now(), now(), $3)`,
    [id, `${id}@example.com`, { first_name: firstName, last_name: 'Test' }],
  )
  await owner.query('update private.members set role = $2 where id = $1', [id, role])
  return id
}

async function as<Row = Record<string, unknown>>(id: string, text: string, values: unknown[] = []) {
  const role = id === 'anon' ? 'anon' : 'authenticated'
  const claimsText = JSON.stringify(id === 'anon' ? { role } : { role, sub: id })
  const { rows } = await backend.database.runAs({ role, claimsText }, { text, values })
  return rows as Row[]
}

type Item = { id: string; title: string; sort_order: number; version: number }

async function anItem(title: string, type = 'newrepstart'): Promise<Item> {
  const [item] = await as<Item>(
    dana,
    `insert into public.${type}_content (title) values ($1) returning id, title, sort_order, version`,
    [title],
  )
  return item!
}

const tick = (member: string, item: string) =>
  as(member, 'insert into public.onboarding_progress (item_id) values ($1)', [item])

const REFUSED = { code: '42501' }

describe('onboarding progress', () => {
  test('a member ticks an item and unticks it', async () => {
    const item = await anItem('Book your licensing class')
    await tick(maya, item.id)
    const mine = () =>
      as(maya, 'select item_id from public.onboarding_progress where item_id = $1', [item.id])
    expect(await mine()).toEqual([{ item_id: item.id }])
    await as(maya, 'delete from public.onboarding_progress where item_id = $1', [item.id])
    expect(await mine()).toEqual([])
  })

  test('ticking twice leaves one tick', async () => {
    const item = await anItem('Meet your field trainer')
    await tick(maya, item.id)
    await expect(tick(maya, item.id)).rejects.toMatchObject({ code: '23505' })
  })

  test('nobody ticks for another member, not even an admin', async () => {
    const item = await anItem('Set up your phone')
    const forging = as(
      dana,
      'insert into public.onboarding_progress (user_id, item_id) values ($1, $2)',
      [maya, item.id],
    )
    await expect(forging).rejects.toMatchObject(REFUSED)
  })

  test('a member sees only their own ticks; an admin sees everybody’s', async () => {
    const item = await anItem('Order business cards')
    const noor = await aMember('Noor', 'user')
    await tick(noor, item.id)
    const seenBy = (member: string) =>
      as(member, 'select user_id from public.onboarding_progress where item_id = $1', [item.id])
    expect(await seenBy(maya)).toEqual([])
    expect(await seenBy(dana)).toEqual([{ user_id: noor }])
    await as(dana, 'delete from public.onboarding_progress where item_id = $1', [item.id])
    expect(await seenBy(noor)).toEqual([{ user_id: noor }])
  })

  test('the overview shows admins each member’s progress and next step', async () => {
    await owner.query('update public.newrepstart_content set is_active = false')
    const first = await anItem('First')
    const second = await anItem('Second')
    await as(dana, 'select public.reorder_content($1, $2)', ['newrepstart', [first.id, second.id]])
    await tick(maya, first.id)
    const rows = await as(
      dana,
      `select first_name, done_count, total_count, next_title from public.onboarding_overview()
       where user_id = any($1) order by first_name`,
      [[maya, theo]],
    )
    expect(rows).toEqual([
      { first_name: 'Maya', done_count: 1, total_count: 2, next_title: 'Second' },
      { first_name: 'Theo', done_count: 0, total_count: 2, next_title: 'First' },
    ])
  })

  test('who has open steps comes first in the overview, which is read page by page and searched by name', async () => {
    await owner.query('update public.newrepstart_content set is_active = false')
    await owner.query("update private.members set last_name = 'Paged' where id = any ($1)", [
      [dana, theo, maya],
    ])
    const item = await anItem('Only')
    const found = async (query: string, most = 50, skip = 0) =>
      (
        await as<{ first_name: string; members_found: string }>(
          dana,
          `select first_name, members_found from public.onboarding_overview('all', $1, $2, $3)`,
          [query, most, skip],
        )
      ).map((row) => [row.first_name, Number(row.members_found)])
    // New reps come before leaders.
    expect(await found('paged')).toEqual([
      ['Maya', 3],
      ['Dana', 3],
      ['Theo', 3],
    ])
    await tick(dana, item.id)
    expect(await found('paged', 2)).toEqual([
      ['Maya', 3],
      ['Theo', 3],
    ])
    expect(await found('paged', 2, 2)).toEqual([['Dana', 3]])
    expect(await found('paged máy')).toEqual([['Maya', 1]])
    expect(await found('nobody')).toEqual([])
  })

  test('who is stuck comes first in the overview, the longest first, then other new reps; it can be narrowed to either', async () => {
    await owner.query('update public.newrepstart_content set is_active = false')
    const item = await anItem('First step')
    const joined = async (firstName: string, daysAgo: number, stepDaysAgo?: number) => {
      const id = await aMember(firstName, 'user')
      await owner.query(
        "update private.members set last_name = 'Stack', admitted_at = now() - make_interval(days => $2) where id = $1",
        [id, daysAgo],
      )
      if (stepDaysAgo === undefined) return
      await owner.query(
        'insert into public.onboarding_progress (user_id, item_id, done_at) values ($1, $2, now() - make_interval(days => $3))',
        [id, item.id, stepDaysAgo],
      )
    }
    await joined('Adam', 400)
    await joined('Berta', 3)
    await joined('Cora', 60, 9)
    await joined('Dina', 12)
    await joined('Emil', 30, 2)
    await joined('Fay', 30)
    await anItem('Second step')
    const found = async (filter: string) =>
      await as(
        dana,
        `select first_name, is_stuck, round(extract(epoch from now() - joined_at) / 86400)::int as days
         from public.onboarding_overview($1, 'stack')`,
        [filter],
      )
    const stuck = [
      { first_name: 'Fay', is_stuck: true, days: 30 },
      { first_name: 'Dina', is_stuck: true, days: 12 },
      { first_name: 'Cora', is_stuck: true, days: 60 },
    ]
    const others = [
      { first_name: 'Berta', is_stuck: false, days: 3 },
      { first_name: 'Emil', is_stuck: false, days: 30 },
    ]
    expect(await found('stuck')).toEqual(stuck)
    expect(await found('new')).toEqual([...stuck, ...others])
    expect(await found('all')).toEqual([
      ...stuck,
      ...others,
      { first_name: 'Adam', is_stuck: false, days: 400 },
    ])
  })

  test('a member may not read the overview', async () => {
    await expect(as(maya, 'select * from public.onboarding_overview()')).rejects.toMatchObject(
      REFUSED,
    )
  })
})

describe('two admins', () => {
  const edit = (admin: string, item: Item, title: string, version: number) =>
    as(
      admin,
      `update public.newrepstart_content set title = $2 where id = $1 and version = $3 returning version`,
      [item.id, title, version],
    )

  test('the second of two edits of the same version changes nothing', async () => {
    const item = await anItem('Draft')
    expect(item.version).toBe(1)
    expect(await edit(dana, item, 'From Dana', 1)).toEqual([{ version: 2 }])
    expect(await edit(theo, item, 'From Theo', 1)).toEqual([])
  })

  test('a save without changes is not an edit, and nobody sets a version directly', async () => {
    const item = await anItem('Same')
    expect(await edit(dana, item, ' Same ', 1)).toEqual([{ version: 1 }])
    const forged = await as(
      dana,
      'update public.newrepstart_content set version = 99 where id = $1 returning version',
      [item.id],
    )
    expect(forged).toEqual([{ version: 1 }])
  })

  test('the database records who last edited an item, and when', async () => {
    const item = await anItem('Signed')
    await edit(theo, item, 'Signed by Theo', 1)
    const [row] = await as(
      dana,
      'select updated_by from public.newrepstart_content where id = $1',
      [item.id],
    )
    expect(row).toEqual({ updated_by: theo })
  })

  test('moving items does not conflict with an open form', async () => {
    const [a, b] = [await anItem('A', 'home'), await anItem('B', 'home')]
    await as(theo, 'select public.reorder_content($1, $2)', ['home', [b.id, a.id]])
    const rows = await as(
      dana,
      'select title, sort_order, version from public.home_content where id = any($1) order by sort_order',
      [[a.id, b.id]],
    )
    expect(rows).toEqual([
      { title: 'B', sort_order: 1, version: 1 },
      { title: 'A', sort_order: 2, version: 1 },
    ])
  })

  test('a member may not change the order, and an unknown type is refused', async () => {
    const item = await anItem('Fixed', 'home')
    const moving = (member: string, type: string) =>
      as(member, 'select public.reorder_content($1, $2)', [type, [item.id]])
    await expect(moving(maya, 'home')).rejects.toMatchObject(REFUSED)
    await expect(moving(dana, 'users; drop table x')).rejects.toMatchObject({ code: '22023' })
  })
})

test.each([
  'select * from public.onboarding_progress',
  'select * from public.onboarding_overview()',
  "select public.reorder_content('home', '{}')",
])('without signing in there is nothing: %s', async (text) => {
  await expect(as('anon', text)).rejects.toMatchObject(REFUSED)
})
