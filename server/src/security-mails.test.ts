import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, aTeam, type Person, type Team } from 'supabase-project/tests/team.ts'
import { securityMail } from './security-mail.ts'
import { mailSecurityEvents } from './security-mails.ts'

let team: Team
beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team?.close())

const mail = () => mailSecurityEvents({ backend: team.backend, siteUrl: 'https://team.example' })
const subjects = ({ email }: Person) =>
  team.backend.mail
    .messages()
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject)
    .toReversed()

/** As the auth service does it: enrolled first, on with the first code. */
async function enroll({ id }: Person): Promise<string> {
  const [factor] = await team.sql<{ id: string }>(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'unverified', 'secret', now(), now()) returning id`,
    [id],
  )
  return factor?.id ?? ''
}
const verify = (factor: string) =>
  team.sql("update auth.mfa_factors set status = 'verified' where id = $1", [factor])
const remove = (factor: string) => team.sql('delete from auth.mfa_factors where id = $1', [factor])

const ON = 'Rally: Two-step verification is on'
const OFF = 'Rally: Two-step verification is off'

test('members are mailed once that two-step verification is on, and that it is off', async () => {
  const maya = await team.aMember()
  const factor = await enroll(maya)
  await mail()
  expect(subjects(maya)).toEqual([])
  await verify(factor)
  const second = await enroll(maya)
  await verify(second)
  await remove(second)
  await Promise.all([mail(), mail()])
  expect(subjects(maya)).toEqual([ON])
  await remove(factor)
  await mail()
  await mail()
  expect(subjects(maya)).toEqual([ON, OFF])
})

test('a set-up that was never finished is not mailed', async () => {
  const theo = await team.aMember()
  await remove(await enroll(theo))
  await mail()
  expect(subjects(theo)).toEqual([])
})

test('who loses it by an admin is mailed that an admin reset it', async () => {
  const [dana, rosa] = [await team.aMember({ isAdmin: true }), await team.aMember()]
  for (let count = 0; count < 2; count++) await verify(await enroll(rosa))
  await mail()
  await call(dana, 'reset_second_factor', { member_id: rosa.id, reason: 'Lost phone' })
  await mail()
  expect(subjects(rosa)).toEqual([ON, 'Rally: An admin reset your two-step verification'])
})

test('where no server mails them, they are dropped after three days; a deleted account takes them along', async () => {
  const [old, gone] = [await team.aMember(), await team.aMember()]
  await verify(await enroll(old))
  await verify(await enroll(gone))
  await team.sql("update private.security_mails set happened_at = now() - interval '73 hours'")
  await team.sql('delete from auth.users where id = $1', [gone.id])
  await mail()
  expect([...subjects(old), ...subjects(gone)]).toEqual([])
  expect(await team.sql('select from private.security_mails')).toEqual([])
})

test('the mail is in the member’s language', () => {
  const event = { email: 'ana@example.com', language: 'es-US', happened_at: new Date() }
  const { subject, text, html } = securityMail({ ...event, event: 'off' }, 'https://team.example')
  expect(subject).toBe('Rally: La verificación en dos pasos está desactivada')
  for (const body of [text, html]) expect(body).toContain('https://team.example/profile')
})
