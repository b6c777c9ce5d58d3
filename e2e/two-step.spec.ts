import { expect, type Page } from '@playwright/test'
import jsQR from 'jsqr'
import { expectAccessible } from './support/accessibility.ts'
import { beginTwoStep, turnOnTwoStep } from './support/authenticator.ts'
import { aChat, alertsOf, openThread, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { linkFor } from './support/mailbox.ts'
import { aMember, PASSWORD } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { fillLogin, pageOf, signIn } from './support/sign-in.ts'

const codeField = (page: Page) => page.getByLabel('6-digit code')

async function logOut(page: Page) {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
}

test('two-step verification: turned on, asked at the login, turned off', async ({ page }) => {
  const alerts = alertsOf(page)
  const member = await aMember()
  await signIn(page, member)
  const { app, codes } = await turnOnTwoStep(page)
  await expectAccessible(page)
  // The codes are shown only now.
  await page.goBack()
  const question = page.getByRole('alertdialog', { name: 'Close without your codes?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText(codes[0] ?? '')).toBeVisible()
  await page.getByRole('button', { name: 'I saved them' }).click()
  const row = page.getByRole('button', { name: 'Two-step verification' })
  await expect(row).toContainText('On')

  await logOut(page)
  await fillLogin(page, member)
  await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible()
  await expect(codeField(page)).toBeFocused()
  await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric')
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => alerts.at(-1)).toBe('Please enter the 6 digits of your code')
  await codeField(page).fill('000 000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => alerts.at(-1)).toMatch(/^Login failed: That code isn't right/)
  await codeField(page).fill(await app.nextCode())
  // Pressed twice, it is sent once.
  await page.getByRole('button', { name: 'Continue' }).dblclick()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Home' })).toBeVisible()
  expect(alerts).toHaveLength(2)

  await page.goto('/profile')
  await row.click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Recovery codes left: 10')).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByRole('button', { name: 'Make new codes' }).click()
  const fresh = sheet.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(fresh).toHaveCount(10)
  expect(codes).not.toContain(await fresh.first().textContent())
  await sheet.getByRole('button', { name: 'I saved them' }).click()

  await row.click()
  await sheet.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(row).toContainText('Off')
  await logOut(page)
  await fillLogin(page, member)
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Home' })).toBeVisible()
})

test('a recovery code opens the app once, and signs the lost phone out', async ({
  page,
  browser,
}) => {
  const alerts = alertsOf(page)
  const member = await aMember()
  const phone = await pageOf(browser, member)
  const { codes } = await turnOnTwoStep(phone)

  await page.addInitScript(`globalThis.busyMinimumMs = 0`)
  await page.goto('/schedule')
  await fillLogin(page, member)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expectAccessible(page)
  const field = page.getByLabel('Recovery code')
  await expect(field).toBeFocused()
  await field.fill('aaaa-aaaa-aaaa')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => alerts.at(-1)).toMatch(/^Login failed: That code isn't right/)
  await field.fill(codes[0]?.toUpperCase().replaceAll('-', ' ') ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  // The page that was asked for.
  await expect(page).toHaveURL(/\/schedule$/)
  await expect(page.getByText('Recovery codes left: 9')).toBeVisible()
  // The lost phone, without anybody touching it.
  await expect(phone.getByRole('button', { name: 'Login' })).toBeVisible()

  await logOut(page)
  await fillLogin(page, member)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await field.fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => alerts.length).toBe(2)
  await page.getByRole('button', { name: 'Use your authenticator app' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
})

test('the QR code holds the key that is shown below it', async ({ page }) => {
  await signIn(page, await aMember())
  const sheet = await beginTwoStep(page)
  const picture = sheet.getByRole('img', { name: 'QR code for your authenticator app' })
  await expect(picture).toBeVisible()
  await expectAccessible(page)
  const { pixels, side } = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 500
    const pen = canvas.getContext('2d')!
    pen.drawImage(image, 0, 0, 500, 500)
    return { pixels: pen.getImageData(0, 0, 500, 500).data, side: 500 }
  })
  const read = jsQR(pixels, side, side)
  const key = (await sheet.locator('code').textContent())?.replaceAll(' ', '')
  expect(new URL(read?.data ?? '').searchParams.get('secret')).toBe(key)
})

test('an open app whose account turned the factor on elsewhere leads to the login, then to the code', async ({
  page,
  browser,
}) => {
  const member = await aMember()
  await signIn(page, member, '/schedule')
  const phone = await pageOf(browser, member)
  const { app } = await turnOnTwoStep(phone)
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await fillLogin(page, member)
  await codeField(page).fill(await app.nextCode())
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/schedule$/)
})

test('a forgotten password is reset with the code; the mailbox alone is not enough', async ({
  page,
}) => {
  const member = await aMember()
  await signIn(page, member)
  const { app } = await turnOnTwoStep(page)
  await logOut(page)
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(member.email)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  await page.goto(await linkFor(member.email))
  await expect(codeField(page)).toBeVisible()
  await expect(page.getByLabel('Confirm New Password')).toHaveCount(0)
  await codeField(page).fill(await app.nextCode())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('New Password', { exact: true }).fill('another-password')
  await page.getByLabel('Confirm New Password', { exact: true }).fill('another-password')
  await page.getByRole('button', { name: 'Save New Password' }).click()
  await expect(page.getByText('Password Updated!')).toBeVisible()
})

test('with two-step verification, the password changes and the account is deleted without signing in again', async ({
  page,
}) => {
  const alerts = alertsOf(page)
  const [member, other] = await Promise.all([aMember({ firstName: 'Noor' }), aMember()])
  const { id } = await aChat(other, [member])
  await say(other, id, 'Hello')
  await signIn(page, member)
  const { app } = await turnOnTwoStep(page)
  await page.getByRole('button', { name: 'I saved them' }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Current Password', { exact: true }).fill(PASSWORD)
  await sheet.getByLabel('New Password', { exact: true }).fill('another-password')
  await sheet.getByLabel('Confirm New Password', { exact: true }).fill('another-password')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  await openThread(page, id)
  await expect(thread(page).getByText('Hello')).toBeVisible()

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await sheet.getByLabel('Password', { exact: true }).fill('another-password')
  await sheet.getByLabel('6-digit code').fill(await app.nextCode())
  await sheet.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  expect(alerts).toEqual([])
})

test('where admins need two-step verification, an admin turns it on to go on', async ({ page }) => {
  // Another team's rule would be in the way of other journeys' admins, so it is asked for in this page only.
  await asksOneByOne(page)
  await page.route('**/rest/v1/rpc/acts_as_admin', (route) => route.fulfill({ json: false }))
  await signIn(page, await aMember({ role: 'admin' }), '/admin')
  await expect(
    page.getByRole('heading', { name: 'Admins need two-step verification' }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to Profile' }).click()
  await page.unroute('**/rest/v1/rpc/acts_as_admin')
  await turnOnTwoStep(page)
  await page.goto('/admin/settings')
  await expect(
    page.getByRole('switch', { name: 'Admins need two-step verification' }),
  ).toBeVisible()
})

test('an admin without two-step verification cannot ask the others for it', async ({ page }) => {
  const alerts = alertsOf(page)
  await signIn(page, await aMember({ role: 'admin' }), '/admin/settings')
  await page.getByText('Admins need two-step verification', { exact: true }).click()
  await expect
    .poll(() => alerts)
    .toEqual(['Error saving the setting: Turn on two-step verification for yourself first'])
  await expect(
    page.getByRole('switch', { name: 'Admins need two-step verification' }),
  ).not.toBeChecked()
})
