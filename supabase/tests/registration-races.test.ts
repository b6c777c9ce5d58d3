// Two things at the same moment, on connections of their own.
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { untilBlocked } from 'backend/testing/until-blocked.ts'
import { newcomerScene } from './newcomer-scene.ts'
import { ownConnections } from './own-connections.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let admin: Person
let scene: ReturnType<typeof newcomerScene>
const { aConnection, connectionOf, endConnections } = ownConnections(() => team)
beforeAll(async () => {
  team = await aTeam()
  admin = await team.aMember({ isAdmin: true })
  scene = newcomerScene(team, admin)
})
afterAll(async () => {
  await endConnections()
  await team?.close()
})

/** The error that it fails with, null if it succeeds. */
const errorOf = (running: Promise<unknown>) =>
  running.then(
    () => null,
    (error: unknown) => error as Error,
  )

type Statement = [text: string, values: unknown[]]

/** Runs the first statement, then the second while the first is not committed yet. */
async function overlapping(
  first: Statement,
  second: Statement,
  by: { early?: pg.Client; late?: pg.Client } = {},
) {
  const [early, late] = [by.early ?? (await aConnection()), by.late ?? (await aConnection())]
  await early.query('begin')
  await early.query(...first)
  const waiting = errorOf(late.query(...second))
  await team.sql('select pg_sleep(0.05)')
  await early.query('commit')
  return waiting
}

const SET_STATUS = 'select public.set_member_status($1, $2, $3)'
const CONFIRM = 'update auth.users set email_confirmed_at = now() where id = $1'
const DEMOTE = "update private.members set role = 'user' where id = $1"
const INVITE = 'select public.plan_invitations($1)'
const OPEN_INVITATIONS =
  'select from public.invitations where invited_by = $1 and revoked_at is null'

test('who is approved while they are declined is either, and never both', async () => {
  await scene.rule('approval')
  const one = await scene.anAccount()
  const declined = await overlapping(
    [SET_STATUS, [one.id, 'active', '']],
    [SET_STATUS, [one.id, 'declined', '']],
  )
  // The later admin sees that there is a member now, whom nobody declines.
  expect(declined?.message).toBe('A member can be suspended, removed or readmitted')
  expect(await scene.memberOf(one)).toMatchObject({ status: 'active' })

  const two = await scene.anAccount()
  expect(
    await overlapping([SET_STATUS, [two.id, 'declined', '']], [SET_STATUS, [two.id, 'active', '']]),
  ).toBeNull()
  expect(await scene.memberOf(two)).toMatchObject({ status: 'active' })
})

test('who is approved and suspended at once is suspended, and their sessions with them', async () => {
  await scene.rule('approval')
  const person = await scene.anAccount()
  const error = await overlapping(
    [SET_STATUS, [person.id, 'active', '']],
    [SET_STATUS, [person.id, 'suspended', 'A mistake']],
  )
  expect(error).toBeNull()
  expect(await scene.memberOf(person)).toMatchObject({ status: 'suspended' })
  await expect(
    team.sql('insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)', [person.id]),
  ).rejects.toThrow('User is banned')
})

test('an invitation that is revoked while its address is confirmed lets nobody in', async () => {
  await scene.rule('approval')
  const person = await scene.anAccount({ isConfirmed: false })
  const id = await scene.anInvitation(person.email)
  await overlapping(
    ['update public.invitations set revoked_at = now() where id = $1', [id]],
    [CONFIRM, [person.id]],
  )
  expect(await scene.memberOf(person)).toMatchObject({ status: 'waiting' })
})

test('a link that is taken back while an address is confirmed lets nobody in', async () => {
  await scene.rule('invitation')
  const { id, token } = await scene.aLink()
  const person = await scene.anAccount({ data: { join_token: token }, isConfirmed: false })
  await overlapping(
    ['update public.join_links set revoked_at = now() where id = $1', [id]],
    [CONFIRM, [person.id]],
  )
  expect(await scene.memberOf(person)).toBeUndefined()
})

describe.each([
  {
    kind: 'link',
    invite: "insert into public.join_links (expires_at) values (now() + interval '7 days')",
    open: 'select from public.join_links where created_by = $1 and revoked_at is null',
  },
  {
    kind: 'invitation by mail',
    invite: `select public.plan_invitations('[{ "email": "race@later.example" }]')`,
    open: OPEN_INVITATIONS,
  },
])('an admin who is demoted while they send a $kind', ({ invite, open }) => {
  let other: Person
  let theirs: pg.Client
  beforeEach(async () => {
    await scene.rule('open')
    other = await team.aMember({ isAdmin: true })
    theirs = await connectionOf(other)
    await theirs.query('set role authenticated')
  })

  test('is refused, if the demotion came first', async () => {
    const error = await overlapping([DEMOTE, [other.id]], [invite, []], { late: theirs })
    expect(error?.message).toBe('Only an admin may invite people')
    expect(await team.sql(open, [other.id])).toEqual([])
  })

  test('leaves nothing open, if the demotion came second', async () => {
    const error = await overlapping([invite, []], [DEMOTE, [other.id]], { early: theirs })
    expect(error).toBeNull()
    expect(await team.sql(open, [other.id])).toEqual([])
  })
})

test('an admin can be demoted while another one invites the same people', async () => {
  await scene.rule('open')
  const other = await team.aMember({ isAdmin: true })
  const [theirs, demoting] = [await connectionOf(admin), await aConnection()]
  const [early, late] = ['a.rep@later.example', 'b.rep@later.example'] as const
  // Stored in another order than that of the addresses, and updated in the order in which they are stored.
  for (const email of [late, early]) await scene.anInvitation(email, { by: other })
  await demoting.query('set enable_indexscan = off; set enable_bitmapscan = off')
  const invite = (email: string) => theirs.query(INVITE, [JSON.stringify([{ email }])])
  await theirs.query('begin')
  await invite(early)
  const demoted = demoting.query(DEMOTE, [other.id])
  await untilBlocked(team.sql)
  await invite(late)
  await theirs.query('commit')
  await demoted
  expect(await team.sql(OPEN_INVITATIONS, [other.id])).toEqual([])
})

test('who joins with the link of an admin while that admin invites them is let in', async () => {
  await scene.rule('approval')
  const person = await scene.anAccount()
  const { token } = await scene.aLink()
  await scene.rule('invitation')
  const [theirs, admins] = [await connectionOf(person), await connectionOf(admin)]
  await theirs.query('begin')
  // What join_team locks first.
  await theirs.query('select from auth.users where id = $1 for no key update', [person.id])
  const invited = admins.query(INVITE, [JSON.stringify([{ email: person.email }])])
  await untilBlocked(team.sql)
  await theirs.query('select public.join_team($1)', [token])
  await theirs.query('commit')
  await invited
  expect(await scene.memberOf(person)).toMatchObject({ status: 'active', sponsor_id: admin.id })
})

test.each(['invitation', 'link'])(
  'an admin can be suspended while people join by their %s',
  async (way) => {
    await scene.rule('open')
    const other = await team.aMember({ isAdmin: true })
    await scene.rule('invitation')
    const { token } = await scene.aLink({ by: other })
    const data = way === 'link' ? { join_token: token } : {}
    const person = await scene.anAccount({ isConfirmed: false, data })
    const id = await scene.anInvitation(way === 'link' ? 'nobody@later.example' : person.email, {
      by: other,
    })
    const [joining, suspending] = [await aConnection(), await connectionOf(admin)]
    await joining.query('begin')
    // What joining locks before it makes the member, whose sponsor is the admin.
    await joining.query(
      way === 'link'
        ? 'select from public.join_links where token = $1 for share'
        : 'select from public.invitations where id = $1 for update',
      [way === 'link' ? token : id],
    )
    const suspended = suspending.query(SET_STATUS, [other.id, 'suspended', 'Left the firm'])
    await untilBlocked(team.sql)
    await joining.query(CONFIRM, [person.id])
    await joining.query('commit')
    await suspended
    expect(await scene.memberOf(other)).toMatchObject({ status: 'suspended' })
    expect(await scene.memberOf(person)).toMatchObject({ status: 'active', sponsor_id: other.id })
  },
)

test('two admins who invite somebody at the same moment have one mail sent', async () => {
  await scene.rule('open')
  const other = await team.aMember({ isAdmin: true })
  const [ours, theirs] = [await connectionOf(admin), await connectionOf(other)]
  const invite = `select state from public.plan_invitations('[{ "email": "twice@later.example" }]')`
  await ours.query('begin')
  const first = await ours.query(invite)
  const second = theirs.query(invite)
  await untilBlocked(team.sql)
  await ours.query('commit')
  expect([first.rows, (await second).rows]).toEqual([[{ state: 'due' }], [{ state: 'sent' }]])
})

test('an invitation used from two devices at once makes one member', async () => {
  await scene.rule('invitation')
  const person = await scene.anAccount()
  const id = await scene.anInvitation(`${person.id}@later.example`)
  await team.sql('update public.invitations set email = $2 where id = $1', [id, person.email])
  const results = await Promise.all(
    Array.from({ length: 8 }, () => call<string>(person, 'join_team')),
  )
  expect(new Set(results.map(({ data }) => data))).toEqual(new Set(['active']))
  const uses = await team.sql('select from public.invitations where accepted_by = $1', [person.id])
  expect(uses).toHaveLength(1)
})

test('who is declined while they ask again stays declined', async () => {
  await scene.rule('approval')
  const person = await scene.anAccount()
  const results = await Promise.all([
    ...Array.from({ length: 6 }, () => call(person, 'join_team')),
    call(admin, 'set_member_status', { member_id: person.id, status: 'declined' }),
  ])
  expect(results.map(({ error }) => error)).toEqual(results.map(() => null))
  expect(await scene.memberOf(person)).toMatchObject({ status: 'declined' })
})

test.each([['invited first'], ['confirmed first']])(
  'somebody invited while their address is being confirmed is let in before the mail goes out (%s)',
  async (order) => {
    await scene.rule('approval')
    const person = await scene.anAccount({ isConfirmed: false })
    const invite = [INVITE, [JSON.stringify([{ email: person.email }])]] satisfies Statement
    const confirm = [CONFIRM, [person.id]] satisfies Statement
    const admins = await connectionOf(admin)
    if (order === 'invited first') await overlapping(invite, confirm, { early: admins })
    else await overlapping(confirm, invite, { late: admins })
    const [prepared] = await team.sql(
      'select public.prepare_invitation_mail(id) as outcome from public.invitations where email = $1',
      [person.email],
    )
    expect(prepared).toEqual({ outcome: 'joined' })
    expect(await scene.memberOf(person)).toMatchObject({ status: 'active', sponsor_id: admin.id })
  },
)

test('somebody who confirms between the recording and the result of a list is still to be mailed, and let in', async () => {
  await scene.rule('invitation')
  const person = await scene.anAccount({ email: 'a@races.example', isConfirmed: false })
  const next = await scene.anAccount({ email: 'b@races.example' })
  const [admins, blocker] = [await connectionOf(admin), await aConnection()]
  // Letting in the next one of the list waits for a change of their account.
  await blocker.query('begin')
  await blocker.query('select from auth.users where id = $1 for no key update', [next.id])
  const list = JSON.stringify([{ email: person.email }, { email: next.email }])
  const planning = admins.query<{ email: string; state: string; invitation_id: string }>(
    'select email, state, invitation_id from public.plan_invitations($1)',
    [list],
  )
  await untilBlocked((text) => team.sql(text))
  await team.sql(...([CONFIRM, [person.id]] satisfies Statement))
  await blocker.query('rollback')
  const { email, state, invitation_id } = (await planning).rows[0] ?? {}
  expect({ email, state }).toEqual({ email: person.email, state: 'due' })
  const prepared = await team.sql('select public.prepare_invitation_mail($1) as outcome', [
    invitation_id,
  ])
  expect(prepared).toEqual([{ outcome: 'joined' }])
  expect(await scene.memberOf(person)).toMatchObject({ status: 'active' })
})

test('an invitation that is sent again while it is accepted leaves none open', async () => {
  await scene.rule('invitation')
  const person = await scene.anAccount({ isConfirmed: false })
  await scene.anInvitation(person.email)
  const invite = [INVITE, [JSON.stringify([{ email: person.email }])]] satisfies Statement
  await overlapping([CONFIRM, [person.id]], invite, { late: await connectionOf(admin) })
  const open = await team.sql(
    'select from public.invitations where email = $1 and accepted_at is null',
    [person.email],
  )
  expect(open).toEqual([])
  expect(await scene.memberOf(person)).toMatchObject({ status: 'active' })
})

describe('while another admin changes the same member', () => {
  let other: Person
  let theirs: pg.Client
  let member: Person
  beforeEach(async () => {
    await scene.rule('open')
    ;[other, member] = [await team.aMember({ isAdmin: true }), await team.aMember()]
    theirs = await connectionOf(other)
    await theirs.query('set role authenticated')
  })
  const rowOf = async ({ id }: Person) =>
    (
      await team.sql<{ status: string; role: string; first_name: string; about: string }>(
        'select status, role, first_name, about from private.members where id = $1',
        [id],
      )
    )[0]
  const PROMOTE = "update public.users set role = 'admin' where id = $1"

  test('who is removed is not made an admin', async () => {
    const removal = [SET_STATUS, [member.id, 'removed', 'Left']] satisfies Statement
    const error = await overlapping(removal, [PROMOTE, [member.id]], { late: theirs })
    expect(error?.message).toBe('A former member has no permissions')
    expect(await rowOf(member)).toMatchObject({ status: 'removed', role: 'user' })
  })

  test('who waits again is not made an admin', async () => {
    await scene.rule('approval')
    const again = [SET_STATUS, [member.id, 'waiting', '']] satisfies Statement
    const error = await overlapping(again, [PROMOTE, [member.id]], { late: theirs })
    expect(error?.message).toBe('A former member has no permissions')
    expect(await rowOf(member)).toMatchObject({ status: 'waiting', role: 'user' })
  })

  test('an admin who is demoted gives nobody the right to supervise', async () => {
    const error = await overlapping(
      [DEMOTE, [other.id]],
      ['select public.set_supervisor($1, true)', [member.id]],
      { late: theirs },
    )
    expect(error?.message).toBe('Only an admin says who supervises')
  })

  test('a profile that is changed while its account is deleted stays empty', async () => {
    const own = await connectionOf(member)
    await own.query('set role authenticated')
    const error = await overlapping(
      ['delete from auth.users where id = $1', [member.id]],
      ["update public.users set first_name = 'Real', about = 'hello' where id = $1", [member.id]],
      { late: own },
    )
    expect(error?.message).toBe('This member no longer exists')
    expect(await rowOf(member)).toMatchObject({
      status: 'deleted',
      first_name: 'Former',
      about: '',
    })
  })

  test('a device that is registered while its account is deleted keeps nobody from deleting it', async () => {
    const [own, deleting] = [await connectionOf(member), await aConnection()]
    await own.query('set role authenticated')
    await deleting.query('begin')
    // What a deletion locks first.
    await deleting.query('select from auth.users where id = $1 for update', [member.id])
    const registered = errorOf(
      own.query('update public.users set push_token = $2 where id = $1', [
        member.id,
        'a'.repeat(64),
      ]),
    )
    await untilBlocked(team.sql)
    await deleting.query('delete from auth.users where id = $1', [member.id])
    await deleting.query('commit')
    expect((await registered)?.message).toBe('This member no longer exists')
    expect(await rowOf(member)).toMatchObject({ status: 'deleted' })
  })

  test.each([
    ['suspend', `select public.set_member_status($1, 'suspended', 'Not you')`, 'suspend or remove'],
    ['demote', "update public.users set role = 'user' where id = $1", 'change roles'],
  ])('of two admins who %s each other one stays', async (_, change, refusal) => {
    const mine = await connectionOf(admin)
    await mine.query('set role authenticated')
    const error = await overlapping([change, [other.id]], [change, [admin.id]], {
      early: mine,
      late: theirs,
    })
    expect(error?.message).toContain(refusal)
    expect(await rowOf(admin)).toMatchObject({ status: 'active', role: 'admin' })
  })
})
