import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFactor, verifyFactor } from 'supabase-project/tests/assurance-sessions.ts'
import { newcomerScene } from 'supabase-project/tests/newcomer-scene.ts'
import { call, aTeam, type Person, type Team } from 'supabase-project/tests/team.ts'
import { accountMail } from './account-mail.ts'
import { mailAccountEvents } from './account-mails.ts'

let team: Team
beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team?.close())

const mail = () => mailAccountEvents({ backend: team.backend, siteUrl: 'https://team.example' })
const subjects = ({ email }: Person) =>
  team.backend.mail
    .messages()
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject)
    .toReversed()

const enroll = (person: Person) => aFactor(team, person, 'unverified')
const remove = (factor: string) => team.sql('delete from auth.mfa_factors where id = $1', [factor])

const ON = 'Rally: Two-step verification is on'
const OFF = 'Rally: Two-step verification is off'
const ADDED = 'Rally: Another authenticator app was added'
const REMOVED = 'Rally: An authenticator app was removed'

test('members are mailed once that two-step verification is on or off, and of each further app', async () => {
  const maya = await team.aMember()
  const factor = await enroll(maya)
  await mail()
  expect(subjects(maya)).toEqual([])
  await verifyFactor(team, maya, factor)
  const second = await enroll(maya)
  await verifyFactor(team, maya, second)
  await remove(second)
  await Promise.all([mail(), mail()])
  expect(subjects(maya).sort()).toEqual([ON, ADDED, REMOVED].sort())
  await remove(factor)
  await mail()
  await mail()
  expect(subjects(maya)).toHaveLength(4)
  expect(subjects(maya).at(-1)).toBe(OFF)
})

test('a set-up that was never finished is not mailed', async () => {
  const theo = await team.aMember()
  await remove(await enroll(theo))
  await mail()
  expect(subjects(theo)).toEqual([])
})

test('who loses it by an admin is mailed that an admin reset it', async () => {
  const [dana, rosa] = [await team.aMember({ isAdmin: true }), await team.aMember()]
  for (let count = 0; count < 2; count++) await verifyFactor(team, rosa, await enroll(rosa))
  await mail()
  await call(dana, 'reset_second_factor', { member_id: rosa.id, reason: 'Lost phone' })
  await mail()
  expect(subjects(rosa)).toEqual([ON, ADDED, 'Rally: An admin reset your two-step verification'])
})

describe('decisions', () => {
  let dana: Person
  let scene: ReturnType<typeof newcomerScene>
  beforeAll(async () => {
    dana = await team.aMember({ isAdmin: true })
    scene = newcomerScene(team, dana)
    await scene.rule('approval')
  })
  const decide = ({ id }: Person, status: 'active' | 'declined' | 'waiting') =>
    call(dana, 'set_member_status', { member_id: id, status })
  const aMinutePasses = () =>
    team.sql("update private.account_mails set happened_at = happened_at - interval '61 seconds'")
  const APPROVED = 'Rally: You’re on the team'
  const DECLINED = 'Rally: Your request to join was declined'

  test('a newcomer who was let in or declined gets one email, a minute later', async () => {
    const [ana, ben] = [await scene.anAccount(), await scene.anAccount()]
    await decide(ana, 'active')
    await decide(ben, 'declined')
    await mail()
    expect([...subjects(ana), ...subjects(ben)]).toEqual([])
    await aMinutePasses()
    await Promise.all([mail(), mail()])
    expect([subjects(ana), subjects(ben)]).toEqual([[APPROVED], [DECLINED]])
  })

  test('a decision that was taken back is not mailed; the one that stays is', async () => {
    const [ana, ben] = [await scene.anAccount(), await scene.anAccount()]
    await decide(ana, 'declined')
    await decide(ana, 'waiting')
    await decide(ana, 'active')
    await decide(ben, 'active')
    await decide(ben, 'waiting')
    await aMinutePasses()
    await mail()
    expect([subjects(ana), subjects(ben)]).toEqual([[APPROVED], []])
  })

  test('a newcomer who was declined and then let in after all is mailed that they are in', async () => {
    const [ana, ben] = [await scene.anAccount(), await scene.anAccount()]
    await decide(ana, 'declined')
    await decide(ana, 'active')
    await decide(ben, 'declined')
    await aMinutePasses()
    await mail()
    await decide(ben, 'active')
    await aMinutePasses()
    await mail()
    expect([subjects(ana), subjects(ben)]).toEqual([[APPROVED], [DECLINED, APPROVED]])
  })

  test.each(['suspended', 'removed'])(
    'a newcomer who is let in and %s within a minute gets no email, nor when readmitted',
    async (status) => {
      const ana = await scene.anAccount()
      await decide(ana, 'active')
      await call(dana, 'set_member_status', { member_id: ana.id, status, reason: 'Not them' })
      await aMinutePasses()
      await mail()
      await decide(ana, 'active')
      await aMinutePasses()
      await mail()
      expect(subjects(ana)).toEqual([])
    },
  )

  test('a newcomer who is invited while waiting gets no invitation, but the email that they are in', async () => {
    const ana = await scene.anAccount()
    await scene.anInvitation(ana.email)
    expect(await scene.memberOf(ana)).toMatchObject({ status: 'active' })
    await aMinutePasses()
    await mail()
    expect(subjects(ana)).toEqual([APPROVED])
  })

  test('so does who has an account already and was not even waiting', async () => {
    await scene.rule('invitation')
    const ana = await scene.anAccount()
    expect(await scene.memberOf(ana)).toBeUndefined()
    await scene.anInvitation(ana.email)
    await aMinutePasses()
    await mail()
    expect(subjects(ana)).toEqual([APPROVED])
    await scene.rule('approval')
  })
})

test('where no server mails them, they are dropped after three days; a deleted account takes them along', async () => {
  const [old, gone] = [await team.aMember(), await team.aMember()]
  await verifyFactor(team, old, await enroll(old))
  await verifyFactor(team, gone, await enroll(gone))
  await team.sql("update private.account_mails set happened_at = now() - interval '73 hours'")
  await team.sql('delete from auth.users where id = $1', [gone.id])
  await mail()
  expect([...subjects(old), ...subjects(gone)]).toEqual([])
  expect(await team.sql('select from private.account_mails')).toEqual([])
})

test('the mail is in the member’s language', () => {
  const event = { email: 'ana@example.com', language: 'es-US', happened_at: new Date() }
  const { subject, text, html } = accountMail(
    { ...event, event: 'second_factor_off' },
    'https://team.example',
  )
  expect(subject).toBe('Rally: La verificación en dos pasos está desactivada')
  for (const body of [text, html]) expect(body).toContain('https://team.example/profile')
  const approved = accountMail({ ...event, event: 'approved' }, 'https://team.example')
  expect(approved.subject).toBe('Rally: Ya estás en el equipo')
  for (const body of [approved.text, approved.html]) expect(body).toContain('https://team.example')
})
