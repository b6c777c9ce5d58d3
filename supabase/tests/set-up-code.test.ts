// The first admin of a team whose registration is not open.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newcomerScene } from './newcomer-scene.ts'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let scene: ReturnType<typeof newcomerScene>
beforeEach(async () => {
  team = await aTeam({ isEmpty: true })
  scene = newcomerScene(team, team.anonymous())
})
afterEach(() => team?.close())

async function issue(ownCode: string | null = null): Promise<string | null> {
  const [row] = await team.sql<{ code: string | null }>(
    'select private.issue_set_up_code($1) as code',
    [ownCode],
  )
  return row?.code ?? null
}
const claim = (person: Person, code: string) => call<boolean>(person, 'claim_team', { code })

test('the first of a real team waits, and the code makes them its admin', async () => {
  const person = await scene.anAccount()
  expect(await scene.memberOf(person)).toMatchObject({ status: 'waiting', role: 'user' })
  expect((await call(person, 'my_membership')).data).toEqual([
    { status: 'waiting', refusal: null, has_admin: false, takes_set_up_code: false },
  ])
  const code = await issue()
  expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/)
  expect((await call(person, 'my_membership')).data).toEqual([
    { status: 'waiting', refusal: null, has_admin: false, takes_set_up_code: true },
  ])
  expect((await claim(person, 'wrong')).data).toBe(false)
  // As typed from a terminal on another screen.
  expect((await claim(person, ` ${code?.toUpperCase().replaceAll('-', ' ')}`)).data).toBe(true)
  expect(await scene.memberOf(person)).toMatchObject({ status: 'active', role: 'admin' })
  expect((await call(person, 'acts_as_admin')).data).toBe(true)
})

test('a code works once, and is stored as a hash only', async () => {
  const code = (await issue()) ?? ''
  const rows = await team.sql('select code_hash from private.set_up_code')
  expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''))
  const [first, second] = [await scene.anAccount(), await scene.anAccount()]
  expect((await claim(first, code)).data).toBe(true)
  expect((await claim(second, code)).error?.message).toBe('This team already has an admin')
  expect(await scene.memberOf(second)).toMatchObject({ status: 'waiting' })
  expect(await issue()).toBeNull()
})

test('each start replaces the code, and an operator may choose it', async () => {
  const old = (await issue()) ?? ''
  expect(await issue('correct-horse-battery')).toBe('correct-horse-battery')
  const person = await scene.anAccount()
  expect((await claim(person, old)).data).toBe(false)
  expect((await claim(person, 'Correct horse battery')).data).toBe(true)
})

test('of two who claim the team at once one becomes admin', async () => {
  const code = (await issue()) ?? ''
  const people = await Promise.all(Array.from({ length: 6 }, () => scene.anAccount()))
  const results = await Promise.all(people.map((person) => claim(person, code)))
  expect(results.filter(({ data }) => data === true)).toHaveLength(1)
  const admins = await team.sql("select id from private.members where role = 'admin'")
  expect(admins).toHaveLength(1)
})

test('guesses are limited, for one and for all', async () => {
  const code = (await issue()) ?? ''
  const guesser = await scene.anAccount()
  for (let guess = 1; guess <= 10; guess++) {
    expect((await claim(guesser, `guess ${guess}`)).data).toBe(false)
  }
  expect((await claim(guesser, code)).error).toMatchObject({ code: 'PT429' })
  const other = await scene.anAccount()
  await team.sql('update private.set_up_attempts set attempts = 100')
  expect((await claim(other, code)).error).toMatchObject({ code: 'PT429' })
  await team.sql("update private.set_up_attempts set since = now() - interval '61 minutes'")
  expect((await claim(other, code)).data).toBe(true)
})

test('only who waits claims a team', async () => {
  await issue('correct-horse-battery')
  const unconfirmed = await scene.anAccount({ isConfirmed: false })
  expect((await claim(unconfirmed, 'correct-horse-battery')).error?.code).toBe('42501')
  expect((await claim(team.anonymous(), 'correct-horse-battery')).error?.code).toBe('42501')
})

test('no code is needed where everybody is let in, and the first member is admin there', async () => {
  await scene.rule('open')
  expect(await issue()).toBeNull()
  expect(await scene.memberOf(await scene.anAccount())).toMatchObject({ role: 'admin' })
})

test('an operator appoints an admin by address, whatever their status', async () => {
  const appoint = (email: string) => team.sql('select private.appoint_admin($1)', [email])
  await expect(appoint('nobody@example.com')).rejects.toThrow('Nobody has created and confirmed')
  const waiting = await scene.anAccount()
  await appoint(` ${waiting.email.toUpperCase()} `)
  expect(await scene.memberOf(waiting)).toMatchObject({ status: 'active', role: 'admin' })
  await scene.rule('invitation')
  const outside = await scene.anAccount()
  await appoint(outside.email)
  expect(await scene.memberOf(outside)).toMatchObject({ status: 'active', role: 'admin' })
})

test('the operator’s functions are nobody else’s', async () => {
  const rows = await team.sql(
    `select rolname from pg_roles, (values ('private.appoint_admin(text)'), ('private.issue_set_up_code(text)')) f (name)
     where rolname in ('anon', 'authenticated', 'service_role') and has_function_privilege(rolname, f.name, 'execute')`,
  )
  expect(rows).toEqual([])
})
