import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aTeam, call, type Person, type Team } from './team.ts'

let team: Team
let server: Person
let admin: Person

type State = { is_good: boolean; address: string | null; failure: string | null }

beforeAll(async () => {
  team = await aTeam()
  server = team.service()
  admin = await team.aMember({ isAdmin: true })
})
afterAll(() => team?.close())
beforeEach(async () => {
  await team.sql('delete from private.backups')
  await team.sql('delete from public.team_notices')
})

const NIGHT = '2026-03-01T03:00:00Z'
const NEXT_NIGHT = '2026-03-02T03:00:00Z'
const GOOD = {
  address: '/backups/one.tar',
  bytes: 10,
  row_count: 3,
  file_count: 2,
  missing_files: 0,
}

const claim = async (due = NIGHT) =>
  (await call<string | null>(server, 'claim_backup', { due_at: due })).data
const settle = (id: string | null, result: object) =>
  call(server, 'settle_backup', { backup_id: id, result })
const state = async (by = admin) => (await call<State[]>(by, 'backup_state')).data?.[0]
const timePasses = (interval: string) =>
  team.sql(
    `update private.backups set started_at = started_at - $1::interval, seen_at = seen_at - $1::interval,
       finished_at = finished_at - $1::interval`,
    [interval],
  )
async function failTheNight(due = NIGHT) {
  for (let attempt = 0; attempt < 3; attempt++) {
    await settle(await claim(due), { failure: 'The store of backups cannot be reached.' })
    await timePasses('1 hour')
  }
}
const notices = () =>
  team.sql<{ title: string; body: string; audience_members: string[] }>(
    'select title, body, audience_members from public.team_notices order by title',
  )

test('a night is claimed once, however many servers ask and however often', async () => {
  const claims = await Promise.all([claim(), claim(), claim(), claim()])
  expect(claims.filter(Boolean)).toHaveLength(1)
  await settle(claims.find(Boolean) ?? null, GOOD)
  expect(await claim()).toBeNull()
  expect(await claim(NEXT_NIGHT)).not.toBeNull()
})

test('the next night is not begun while a backup runs', async () => {
  await claim()
  expect(await claim(NEXT_NIGHT)).toBeNull()
})

test('a failure is tried again after ten minutes, three times in all', async () => {
  await settle(await claim(), { failure: 'no room' })
  expect(await claim()).toBeNull()
  await timePasses('11 minutes')
  await settle(await claim(), { failure: 'no room' })
  await timePasses('11 minutes')
  expect(await claim()).toBeNull()
  await timePasses('10 minutes')
  await settle(await claim(), { failure: 'no room' })
  await timePasses('1 day')
  expect(await claim()).toBeNull()
  expect(await claim(NEXT_NIGHT)).not.toBeNull()
})

test('a backup whose server was killed is begun again by another one', async () => {
  await claim()
  await timePasses('14 minutes')
  expect(await claim()).toBeNull()
  await timePasses('2 minutes')
  expect(await claim()).toBeNull()
  expect((await state())?.failure).toBe('The server stopped in the middle.')
  await timePasses('11 minutes')
  expect(await claim()).not.toBeNull()
})

test('a server that is still at it keeps its claim', async () => {
  const id = await claim()
  await timePasses('14 minutes')
  await call(server, 'keep_backup_claim', { backup_id: id })
  await timePasses('14 minutes')
  await claim()
  await settle(id, GOOD)
  expect(await state()).toMatchObject({ is_good: true, address: GOOD.address })
})

test('a server that is asked to stop gives its claim back', async () => {
  await settle(await claim(), {})
  expect(await claim()).not.toBeNull()
  expect((await state())?.failure).toBeNull()
})

test('a clock that was wrong costs no night', async () => {
  // Far ahead, then corrected: what was made for the future counts for nothing.
  await settle(await claim(), GOOD)
  await team.sql(
    `update private.backups set due_at = now() + interval '3 days', started_at = now() + interval '3 days',
       finished_at = now() + interval '3 days'`,
  )
  expect((await state())?.is_good).toBe(false)
  expect(await claim(new Date(Date.now() + 86_400_000).toISOString())).toBeNull()
  expect(await claim()).not.toBeNull()
})

test('a clock that jumps ten minutes ahead and back makes no second backup', async () => {
  await settle(await claim(NEXT_NIGHT), GOOD)
  expect(await claim(NIGHT)).toBeNull()
  expect(await claim(NEXT_NIGHT)).toBeNull()
})

test('admins see the state, members do not', async () => {
  expect(await state()).toMatchObject({ is_good: false, verified_at: null, running_since: null })
  const id = await claim()
  expect((await state()) as object).toMatchObject({ running_since: expect.any(String) as string })
  await settle(id, GOOD)
  expect(await state()).toMatchObject({
    ...GOOD,
    is_good: true,
    failure: null,
    running_since: null,
  })
  expect(await state(await team.aMember())).toBeUndefined()
})

test('a backup older than a day and a half is no longer good, and the set-up list says so', async () => {
  const isSetUp = async () =>
    (await call<{ backup: boolean }[]>(admin, 'setup_checklist')).data?.[0]?.backup
  await settle(await claim(), GOOD)
  await claim()
  expect([(await state())?.is_good, await isSetUp()]).toEqual([true, true])
  await timePasses('37 hours')
  await claim()
  expect([(await state())?.is_good, await isSetUp()]).toEqual([false, false])
})

test('after the last failure of a night every admin is notified, in their language, and nobody else', async () => {
  await team.sql(
    `update auth.users set raw_user_meta_data = raw_user_meta_data || '{"locale": "es"}' where id = $1`,
    [admin.id],
  )
  const other = await team.aMember({ isAdmin: true })
  await settle(await claim(), { failure: 'first' })
  expect(await notices()).toEqual([])
  await team.sql('delete from private.backups')
  await failTheNight()
  const [spanish, english] = await notices()
  expect(spanish).toMatchObject({
    title: 'La copia de seguridad falló',
    audience_members: [admin.id],
    body:
      'La copia de seguridad de esta noche no se pudo hacer o no se pudo comprobar. Todavía no hay ninguna buena. ' +
      'Avisa a quien administra el servidor: el motivo está en su registro.',
  })
  expect(english).toMatchObject({ title: 'The backup failed' })
  expect(english?.audience_members).toContain(other.id)
  const { data } = await call<{ title: string }[]>(other, 'my_notifications')
  expect(data?.map(({ title }) => title)).toEqual(['The backup failed'])

  await settle(await claim(NEXT_NIGHT), GOOD)
  await failTheNight('2026-03-03T03:00:00Z')
  expect((await notices()).at(-1)?.body).toMatch(
    /^Tonight's backup could not be made, or could not be checked\. The last good one is of \d\d\/\d\d\/\d{4}\./,
  )
})
