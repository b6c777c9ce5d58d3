// Who brought in whom: moves by admins, no cycles, and reading the tree upward and downward.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bestTime } from './best-time.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ firstName: 'Ada', isAdmin: true })
})
afterAll(() => team?.close())
beforeEach(() => team.sql('update private.members set sponsor_id = null'))

const setSponsor = (member: Person, sponsor: Person | null, by = admin) =>
  call(by, 'set_sponsor', { member_id: member.id, sponsor_id: sponsor?.id ?? null })
const sponsorOf = async ({ id }: Person) =>
  (
    await team.sql<{ sponsor_id: string | null }>(
      'select sponsor_id from private.members where id = $1',
      [id],
    )
  )[0]?.sponsor_id
const upline = async ({ id }: Person) =>
  (await team.sql<{ id: string }>('select id from private.upline($1) order by level', [id])).map(
    (row) => row.id,
  )
const downline = ({ id }: Person) =>
  team.sql<{ id: string; sponsor_id: string; level: number }>(
    'select * from private.downline($1) order by level, id',
    [id],
  )

/** Each member brought in the next. */
async function aLine(length: number): Promise<Person[]> {
  const line = await Promise.all(Array.from({ length }, () => team.aMember()))
  for (const [place, member] of line.entries()) {
    const above = line[place - 1]
    if (above) expect((await setSponsor(member, above)).error).toBeNull()
  }
  return line
}

test('admins say who brought somebody in, and nobody else does', async () => {
  const [one, two] = [await team.aMember(), await team.aMember()]
  expect((await setSponsor(two, one)).error).toBeNull()
  expect(await sponsorOf(two)).toBe(one.id)
  expect((await setSponsor(two, null)).error).toBeNull()
  expect(await sponsorOf(two)).toBeNull()
  expect((await setSponsor(two, one, two)).error?.message).toBe(
    'Only an admin says who brought somebody in',
  )
  expect(
    (await two.client.from('users').update({ sponsor_id: one.id }).eq('id', two.id)).error?.code,
  ).toBe('42501')
})

test('nobody is their own sponsor, nor below somebody of their own line', async () => {
  const [top, middle, low] = (await aLine(3)) as [Person, Person, Person]
  const refusal = 'Nobody can be brought in by somebody of their own line'
  for (const below of [top, middle, low]) {
    expect((await setSponsor(top, below)).error?.message).toBe(refusal)
  }
  expect(await upline(low)).toEqual([middle.id, top.id])
})

test('only somebody who is on the team becomes a sponsor', async () => {
  const [gone, member] = [await team.aMember(), await team.aMember()]
  await team.sql("update private.members set status = 'removed' where id = $1", [gone.id])
  expect((await setSponsor(member, gone)).error?.message).toBe('Choose somebody who is on the team')
  expect((await setSponsor({ ...member, id: crypto.randomUUID() }, admin)).error?.message).toBe(
    'This member no longer exists',
  )
})

test('two admins who move two members below each other at the same moment make no cycle', async () => {
  const other = await team.aMember({ isAdmin: true })
  for (let round = 0; round < 10; round++) {
    const [one, two] = [await team.aMember(), await team.aMember()]
    const results = await Promise.all([setSponsor(one, two), setSponsor(two, one, other)])
    expect(results.filter(({ error }) => error)).toHaveLength(1)
  }
})

test('a move waits for one that is not committed yet, also outside set_sponsor', async () => {
  const [one, two] = [await team.aMember(), await team.aMember()]
  const second = new pg.Client({ connectionString: team.backend.superuserUrl })
  await second.connect()
  try {
    await team.sql('begin')
    await team.sql('update private.members set sponsor_id = $2 where id = $1', [one.id, two.id])
    const move = second
      .query('update private.members set sponsor_id = $2 where id = $1', [two.id, one.id])
      .then(
        () => 'moved',
        (error: Error) => error.message,
      )
    await expect
      .poll(async () => (await team.sql('select from pg_locks where not granted')).length)
      .toBeGreaterThan(0)
    await team.sql('commit')
    expect(await move).toBe('Nobody can be brought in by somebody of their own line')
  } finally {
    await second.end()
  }
})

test('who is suspended, removed or deleted is skipped, and their place is kept', async () => {
  const [top, gone, low] = (await aLine(3)) as [Person, Person, Person]
  const beside = await team.aMember()
  await setSponsor(beside, gone)
  for (const status of ['suspended', 'removed']) {
    await team.sql('update private.members set status = $2 where id = $1', [gone.id, status])
    expect(await upline(low)).toEqual([top.id])
    expect(await downline(top)).toEqual(
      [low, beside]
        .map(({ id }) => ({ id, sponsor_id: top.id, level: 1 }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    const mine = await call<{ id: string }[]>(low, 'my_sponsor')
    expect(mine.data?.map(({ id }) => id)).toEqual([top.id])
  }
  await team.sql("update private.members set status = 'active' where id = $1", [gone.id])
  expect(await upline(low)).toEqual([gone.id, top.id])
  await team.sql('delete from auth.users where id = $1', [gone.id])
  expect(await upline(low)).toEqual([top.id])
  expect(await sponsorOf(low)).toBe(gone.id)
  const { data } = await call<object[]>(admin, 'member_details', { member_id: low.id })
  expect(data).toMatchObject([{ sponsor_name: 'Former member', counts_for_name: 'Pat Doe' }])
})

test('a member’s details say who brought them in and whom they brought in', async () => {
  const [top, middle] = (await aLine(3)) as [Person, Person]
  const details = async ({ id }: Person) =>
    (await call<object[]>(admin, 'member_details', { member_id: id })).data?.[0]
  expect(await details(top)).toMatchObject({ sponsor_id: null, brought_in: 1, downline: 2 })
  expect(await details(middle)).toMatchObject({
    sponsor_id: top.id,
    sponsor_name: 'Pat Doe',
    counts_for_name: null,
    brought_in: 1,
    downline: 1,
  })
})

// A fixed sequence of random numbers, so that a failure can be repeated.
function randomly(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test.each([1, 2, 3])('whatever is moved where, every line upward ends (seed %i)', async (seed) => {
  const random = randomly(seed)
  const members = await Promise.all(Array.from({ length: 12 }, () => team.aMember()))
  const anyone = () => members[random(members.length)] as Person
  let moved = 0
  for (let step = 0; step < 20; step++) {
    // Some at the same time.
    const moves = Array.from({ length: 1 + random(4) }, () =>
      setSponsor(anyone(), random(8) === 0 ? null : anyone()),
    )
    moved += (await Promise.all(moves)).filter(({ error }) => !error).length
  }
  expect(moved).toBeGreaterThan(15)
  const edges = new Map(
    (
      await team.sql<{ id: string; sponsor_id: string | null }>(
        'select id, sponsor_id from private.members',
      )
    ).map((row) => [row.id, row.sponsor_id]),
  )
  for (const { id } of members) {
    const seen = new Set<string>()
    for (let at: string | null | undefined = id; at; at = edges.get(at)) {
      expect(seen.has(at)).toBe(false)
      seen.add(at)
    }
    const above = [...seen].slice(1)
    expect(await upline({ id } as Person)).toEqual(above)
    for (const leader of members) {
      const [found] = await team.sql<{ is: boolean }>(
        'select private.is_in_downline($1, $2) as is',
        [id, leader.id],
      )
      expect(found?.is).toBe(above.includes(leader.id))
      const below = (await downline(leader)).map((row) => row.id)
      expect(below.includes(id)).toBe(above.includes(leader.id))
    }
  }
})

test('10,000 members nine deep are read downward within a fifth of a second, upward within pages', async () => {
  await team.sql('alter table private.members disable trigger user')
  // The nth member was brought in by the (n/3)rd: three each, nine levels.
  await team.sql(
    `with made as (
       insert into private.members (id, email, first_name, sponsor_id)
       select md5(n::text)::uuid, 't' || n || '@example.com', 'Tree',
         case when n > 1 then md5(((n + 1) / 3)::text)::uuid end
       from generate_series(1, 10000) n returning 1
     ) select count(*) from made`,
  )
  await team.sql('alter table private.members enable trigger user')
  await team.sql('analyze private.members')
  const root = { id: '' } as Person
  const [first] = await team.sql<{ id: string; last: string }>(
    `select md5('1')::uuid as id, md5('10000')::uuid as last`,
  )
  root.id = first?.id ?? ''
  const below = await downline(root)
  expect(below).toHaveLength(9999)
  expect(below.at(-1)?.level).toBe(9)
  expect(await upline({ id: first?.last } as Person)).toHaveLength(9)
  const down = await bestTime(team, root, `select * from private.downline('${root.id}')`)
  const up = await bestTime(team, root, `select * from private.upline('${first?.last}')`)
  expect(down).toBeLessThan(200)
  expect(up).toBeLessThan(20)
}, 60_000)
