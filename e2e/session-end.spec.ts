import { expect, type Page } from '@playwright/test'
import { alertsOf, aChat, openThread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient } from './support/members.ts'
import { PROMISED, within } from './support/promised-times.ts'
import { fillLogin, pageOf, signIn } from './support/sign-in.ts'

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
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Log out of all devices' })
    .click()
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

test('a suspended member who tries to log in reads whom to ask', async ({ page }) => {
  const ana = await aMember()
  const service = await serviceClient()
  await service.auth.admin.updateUserById(ana.id, { ban_duration: '24h' })
  const alerts = alertsOf(page)
  await page.addInitScript('globalThis.busyMinimumMs = 0')
  await page.goto('/')
  await fillLogin(page, ana)
  await expect(page.getByRole('alert')).toHaveText(`Login failed: ${NO_MEMBER}`)
  expect(alerts).toEqual([`Login failed: ${NO_MEMBER}`])
})

test('a session that is over when the app is opened leads to the login, which says so', async ({
  page,
}) => {
  const ana = await aMember()
  await signIn(page, ana)
  await expect(page.getByRole('navigation')).toBeVisible()
  // The device was away for a day, and the member logged out of all devices meanwhile.
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('member-session')!) as object
    const expired = { ...session, expires_at: Math.floor(Date.now() / 1000) - 60 }
    localStorage.setItem('member-session', JSON.stringify(expired))
  })
  // While it is open it would be told.
  await page.goto('about:blank')
  expect((await ana.client.auth.signOut({ scope: 'global' })).error).toBeNull()
  await page.goto('/schedule')
  await expectSignedOut(page, ELSEWHERE)
})
