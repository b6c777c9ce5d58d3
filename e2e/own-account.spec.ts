import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, alertsOf, composer, openThread, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { linkFor } from './support/mailbox.ts'
import { aMember, PASSWORD } from './support/members.ts'
import { fillLogin, pageOf, signIn } from './support/sign-in.ts'

test('a new e-mail address counts once both mailboxes have confirmed it', async ({ page }) => {
  const member = await aMember()
  const email = `new.${member.email}`
  await signIn(page, member, '/profile')
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(email)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Almost done: open the link we sent to ${email}`)).toBeVisible()

  await page.goto(await linkFor(member.email, /about to change/))
  await expect(page.getByText('Link accepted.')).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: '@' })).toHaveText(member.email)
  await page.goto(await linkFor(email))
  await expect(page.getByRole('definition').filter({ hasText: '@' })).toHaveText(email)
  await page.getByRole('button', { name: 'Logout' }).click()
  await fillLogin(page, { email, password: PASSWORD })
  await expect(page).toHaveURL(/\/home$/)
})

test('a new address that waits to be confirmed is shown everywhere, and can be taken back', async ({
  page,
  browser,
}) => {
  const member = await aMember()
  const email = `typo.${member.email}`
  await member.client.auth.updateUser({ email })
  await signIn(page, member, '/profile')
  const row = page.getByRole('button', { name: 'Change email' })
  await expect(row).toContainText('Not confirmed yet')
  await row.click()
  await expect(page.getByText(`Almost done: open the link we sent to ${email}`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep my current email' }).click()
  await expect(page.getByText(`Your email stays ${member.email}`)).toBeVisible()
  await page.getByLabel('New email').fill(member.email.toUpperCase())
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText("That's already your email address").first()).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await other.goto(await linkFor(email))
  await expect(other.getByText(/link.*(expired|no longer)/i).first()).toBeVisible()
})

test('a deleted account is signed out, and its messages stay without the name', async ({
  page,
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Xiomara' }), aMember()])
  const { id } = await aChat(ben, [ana])
  await say(ana, id, 'Remember me')
  await signIn(page, ana, '/profile')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  const alerts = alertsOf(page)
  await dialog.getByLabel('Password', { exact: true }).fill('a guess')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect.poll(() => alerts).toEqual(["Error deleting account: That password isn't correct"])
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL(/\/$/)
  await fillLogin(page, ana)
  await expect.poll(() => alerts.at(-1)).toBe('Login failed: Invalid login credentials')

  const other = await pageOf(browser, ben)
  await openThread(other, id)
  await expect(thread(other).getByText('Remember me')).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Former member' })).toBeVisible()
  await expect(other.getByText('Xiomara')).toHaveCount(0)
})

test('a session ended elsewhere leads to the login, and after it back to the unsent text', async ({
  page,
}) => {
  const [ana, ben] = await Promise.all([aMember(), aMember()])
  const { id } = await aChat(ana, [ben])
  await signIn(page, ana)
  await openThread(page, id)
  await composer(page).fill('Half a thought')
  await ana.client.auth.signOut({ scope: 'global' })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await fillLogin(page, ana)
  await expect(page).toHaveURL(new RegExp(`/chat/${id}$`))
  await expect(composer(page)).toHaveValue('Half a thought')
})

test('a failed sign-out everywhere says so, and the next one works', async ({ page }) => {
  const alerts = alertsOf(page)
  await signIn(page, await aMember(), '/profile')
  await page.route('**/auth/v1/logout*', (route) => route.fulfill({ status: 500, json: {} }))
  const signOut = async () => {
    await page.getByRole('button', { name: 'Log out of all devices' }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Log out of all devices' })
      .click()
  }
  await signOut()
  await expect.poll(() => alerts).toEqual(['Error signing out'])
  await page.unroute('**/auth/v1/logout*')
  await signOut()
  await expect(page).toHaveURL(/\/$/)
})
