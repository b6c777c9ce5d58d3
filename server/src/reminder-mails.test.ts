import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeam, type Team } from 'supabase-project/tests/team.ts'
import { reminderMail } from './reminder-mail.ts'
import { mailReminders } from './reminder-mails.ts'

let team: Team

beforeAll(async () => {
  team = await aTeam()
})
afterAll(() => team.close())

test('a day after the reminder, a member who has not acknowledged the notice gets one mail', async () => {
  const [dana, maya, theo] = await Promise.all([
    team.aMember({ isAdmin: true }),
    team.aMember(),
    team.aMember(),
  ])
  const mail = () => mailReminders({ backend: team.backend, siteUrl: 'https://team.example' })
  const received = () => team.backend.mail.messages().map(({ to }) => to)
  // From here on a reminder promises mails.
  await mail()
  const { data } = await dana.client
    .from('team_notices')
    .insert({
      title: 'New rooms',
      must_acknowledge: true,
      audience: 'members',
      audience_members: [maya.id, theo.id],
    } as never)
    .select('id')
    .single()
  const { id: notice_id } = data as unknown as { id: string }
  const reminded = await dana.client.rpc('remind_notice', { notice_id })
  expect(reminded.data).toMatchObject([{ reminded: 2, with_mail: 2 }])
  await mail()
  expect(received()).toEqual([])

  await maya.client.rpc('acknowledge_notice', { notice_id })
  await team.sql("update public.notice_receipts set reminded_at = now() - interval '25 hours'")
  await mail()
  await mail()
  expect(received()).toEqual([theo.email])
})

test('the mail is in the language of the member and cannot carry markup', () => {
  const reminder = { email: 'ana@example.com', language: 'es-US', title: 'A <b>', body: 'Uno\nDos' }
  const { subject, html, text } = reminderMail(reminder, 'https://team.example')
  expect(subject).toBe('Falta tu confirmación: A <b>')
  expect(html).not.toContain('<b>')
  expect(text).toContain('https://team.example/notifications')
})
