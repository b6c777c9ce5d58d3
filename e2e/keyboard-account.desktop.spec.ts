import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { expectFocusKept, pressOn, tabTo, typeInto } from './support/keyboard.ts'
import { linkFor } from './support/mailbox.ts'
import { aMember, PASSWORD } from './support/members.ts'

const NEW_PASSWORD = 'another-long-password'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test.beforeEach(({ page }) => page.addInitScript('globalThis.busyMinimumMs = 50'))

test('an account is created, confirmed and opened with the keyboard alone', async ({ page }) => {
  const email = `nina.${randomUUID().slice(0, 8)}@example.com`
  await page.goto('/')
  await pressOn(page, button(page, 'Create Account'))
  await expect(title(page, 'Create Account')).toBeFocused()
  for (const [label, text] of [
    ['First Name', 'Nina'],
    ['Last Name', 'Alvarez'],
    ['Email', email],
    ['Password', PASSWORD],
    ['Confirm Password', 'something else'],
  ] as const) {
    await typeInto(page, page.getByLabel(label, { exact: true }), text)
  }
  page.once('dialog', (alert) => void alert.accept())
  await pressOn(page, button(page, 'Verify Account'))
  const confirmation = page.getByLabel('Confirm Password', { exact: true })
  await expect(confirmation).toHaveAccessibleDescription(/Passwords do not match/)
  await expectAccessible(page)
  await expectFocusKept(page)
  await confirmation.press('ControlOrMeta+a')
  await page.keyboard.type(PASSWORD)
  await pressOn(page, button(page, 'Verify Account'))
  await expect(title(page, 'Check Your Email')).toBeFocused()
  await expect(page).toHaveTitle('Check Your Email · Rally')

  await page.request.get(await linkFor(email))
  await expect(title(page, 'Email Verified!')).toBeFocused()
  await expect(page).toHaveTitle('Email Verified! · Rally')
  await pressOn(page, button(page, 'Continue to Login'))
  await expect(title(page, 'Welcome back')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await typeInto(page, page.getByLabel('Password', { exact: true }), 'a guess')
  page.once('dialog', (alert) => void alert.accept())
  await pressOn(page, button(page, 'Login'))
  await expect(page.getByRole('alert')).toContainText('Login failed')
  await expectAccessible(page)
  await expect(button(page, 'Login')).toBeFocused()
  await page.getByLabel('Password', { exact: true }).press('ControlOrMeta+a')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a forgotten password is replaced with the keyboard alone', async ({ page }) => {
  const { email } = await aMember()
  await page.goto('/')
  await pressOn(page, page.getByRole('link', { name: 'Forgot Password?' }))
  await expect(title(page, 'Reset Password')).toBeFocused()
  await typeInto(page, page.getByLabel('Email'), email)
  await pressOn(page, button(page, 'Send Reset Link'))
  await expect(title(page, 'Check Your Email')).toBeFocused()
  await expect(page).toHaveTitle('Check Your Email · Rally')
  await tabTo(page, button(page, 'Back to Login'))

  await page.goto(await linkFor(email))
  await typeInto(page, page.getByLabel('New Password', { exact: true }), NEW_PASSWORD)
  await pressOn(page, page.getByRole('button', { name: 'Show New Password' }))
  await expect(page.getByRole('button', { name: 'Hide New Password' })).toBeFocused()
  await typeInto(page, page.getByLabel('Confirm New Password', { exact: true }), NEW_PASSWORD)
  await pressOn(page, button(page, 'Save New Password'))
  await expect(title(page, 'Password Updated!')).toBeFocused()
  await expect(title(page, 'Welcome back')).toBeFocused()
})
