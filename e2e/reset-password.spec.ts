import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { alertsOf } from './support/chats.ts'
import { test } from './support/journey.ts'
import { linkFor } from './support/mailbox.ts'
import { aMember } from './support/members.ts'
import { fillLogin, pageOf } from './support/sign-in.ts'

const NEW_PASSWORD = 'another-long-password'

test('forgotten password: mail, new password, login with it; the old one and the other device are signed out', async ({
  page,
  browser,
}) => {
  const member = await aMember({ firstName: 'Faye' })
  const { email } = member
  const otherDevice = await pageOf(browser, member)
  await page.addInitScript('globalThis.busyMinimumMs = 0')
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot Password?' }).click()
  await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to Login' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()

  const link = await linkFor(email)
  await page.goto(link)
  await expect(page).toHaveURL(/\/new-password/)
  await expectAccessible(page)
  await page.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('Confirm New Password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Save New Password' }).click()
  await expect(page.getByRole('heading', { name: 'Password Updated!' })).toBeVisible()
  await expectAccessible(page)
  await expect(page).toHaveURL(/\/$/)

  const alerts = alertsOf(page)
  await fillLogin(page, member)
  await expect.poll(() => alerts).toEqual(['Login failed: Invalid login credentials'])
  await expectAccessible(page)
  await fillLogin(page, { email, password: NEW_PASSWORD })
  await expect(page).toHaveURL(/\/home$/)

  await otherDevice.reload()
  await expect(otherDevice.getByRole('button', { name: 'Login' })).toBeVisible()
  // The link worked once; opened again it says so and gives no access.
  const otherAlerts = alertsOf(otherDevice)
  await otherDevice.goto(link)
  await expect(otherDevice.getByRole('button', { name: 'Login' })).toBeVisible()
  expect(otherAlerts).toEqual([
    'This link has expired or was already used. Please request a new one.',
  ])
})
