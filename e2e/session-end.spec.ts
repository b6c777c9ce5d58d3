import { expect, type Page } from '@playwright/test'
import { aChat, openThread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient } from './support/members.ts'
import { PROMISED, within } from './support/promised-times.ts'
import { pageOf, signIn } from './support/sign-in.ts'

const ELSEWHERE = "You've been signed out on this device. Log in to continue."
const NO_MEMBER = 'Your account is suspended, or not part of this team. Ask one of its admins.'

/** The open app left by itself, and says why; nothing was pressed or reloaded. */
async function expectSignedOut(page: Page, why: string) {
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(page.getByText(why)).toBeVisible()
}

test('logging out of all devices ends what another one has open, and its token reads nothing more', async ({
  page,
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember(), aMember()])
  const { id } = await aChat(ana, [ben])
  const phone = await pageOf(browser, ana)
  await openThread(phone, id)
  expect((await ana.client.from('users').select('id').eq('id', ana.id)).status).toBe(200)
  await signIn(page, ana, '/profile')
  // The buttons move once the profile is there.
  await expect(page.getByRole('button', { name: 'Change name' })).toBeVisible()
  await page.getByRole('button', { name: 'Log out of all devices' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expectSignedOut(phone, ELSEWHERE)
  expect((await ana.client.from('users').select('id').eq('id', ana.id)).status).toBe(401)
  const message = { chat_id: id, sender_id: ana.id, message: 'Still here' }
  expect((await ana.client.from('chat_messages').insert(message)).status).toBe(401)
})

test(
  'who is suspended or removed lands on the login within two seconds',
  PROMISED,
  async ({ browser }) => {
    const service = await serviceClient()
    const [suspended, removed] = await Promise.all([aMember(), aMember()])
    const pages = await Promise.all([pageOf(browser, suspended), pageOf(browser, removed)])
    const [first, second] = pages
    await service.auth.admin.updateUserById(suspended.id, { ban_duration: '24h' })
    await expect(first.getByRole('button', { name: 'Login' })).toBeVisible(within(2_000))
    await service.auth.admin.deleteUser(removed.id)
    await expect(second.getByRole('button', { name: 'Login' })).toBeVisible(within(2_000))
    for (const page of pages) await expectSignedOut(page, NO_MEMBER)
  },
)
