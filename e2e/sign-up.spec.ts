import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { test } from './support/journey.ts'
import { linkFor } from './support/mailbox.ts'
import { PASSWORD } from './support/members.ts'
import { fillLogin } from './support/sign-in.ts'

const anAddress = () => `nina.${randomUUID().slice(0, 8)}@example.com`

async function askForAccount(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Verify Account' }).click()
}

const confirmed = (page: Page) => page.getByRole('heading', { name: 'Email Verified!' })

test('a new rep signs up, corrects the address, opens the link on another device, logs in and is greeted', async ({
  page,
  browser,
}) => {
  const email = anAddress()
  await page.goto('/')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByLabel('First Name').fill('Nina')
  await page.getByLabel('Last Name').fill('Alvarez')
  await expectAccessible(page)
  await askForAccount(page, anAddress())
  await expect(page.getByRole('button', { name: "We're sending you an email..." })).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await page.evaluate('globalThis.busyMinimumMs = 0')
  await page.getByRole('button', { name: 'Edit Email' }).click()
  await expect(page.getByLabel('First Name')).toHaveValue('Nina')
  await expect(page.getByLabel('Last Name')).toHaveValue('Alvarez')
  await expect(page.getByLabel('Email')).toHaveValue('')
  await askForAccount(page, email)
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByText('Checking for verification...')).toBeVisible()
  await expectAccessible(page)

  const phone = await (await browser.newContext()).newPage()
  await phone.goto(await linkFor(email))
  await expect(confirmed(phone)).toBeVisible()
  await expect(confirmed(page)).toBeVisible()
  await expect(page.getByText('Your account has been successfully verified.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue to Login' }).click()

  await expect(page.getByLabel('Email')).toHaveValue(email)
  await fillLogin(page, { email, password: PASSWORD })
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByRole('heading', { name: /Nina/ })).toBeVisible()
  await expectAccessible(page)
})

test('a reload keeps the name and address that were typed, but no password', async ({ page }) => {
  await page.goto('/create-account')
  await page.getByLabel('First Name').fill('Nina')
  await page.getByLabel('Email').fill('nina@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password', { exact: true }).focus()
  await page.reload()
  await expect(page.getByLabel('First Name')).toHaveValue('Nina')
  await expect(page.getByLabel('Email')).toHaveValue('nina@example.com')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(PASSWORD)
})

test('a lost mail is resent, and its link opens the account in this browser', async ({
  page,
  context,
  browser,
}) => {
  const email = anAddress()
  await page.addInitScript('globalThis.busyMinimumMs = 0')
  await page.clock.install()
  await page.goto('/create-account')
  await page.getByLabel('First Name').fill('Nina')
  await askForAccount(page, email)
  const resend = page.getByRole('button', { name: /^Resend Email/ })
  await expect(resend).toBeDisabled()
  const lost = await linkFor(email)
  await page.clock.fastForward(61_000)
  await resend.click()
  await expect(page.getByText('We sent the email again.')).toBeVisible()
  await expect(resend).toBeDisabled()

  const tab = await context.newPage()
  await tab.goto(await linkFor(email))
  await expect(confirmed(tab)).toBeVisible()
  // In a browser without the session, which would show the account as verified.
  const late = await (await browser.newContext()).newPage()
  await late.goto(lost)
  await expect(late.getByRole('alert').first()).toHaveText(
    'This link has expired or was already used. Please request a new one.',
  )
  await page.clock.fastForward(3_000)
  await expect(confirmed(page)).toBeVisible()
  // This browser now has a session, so the login forwards.
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL(/\/home$/)
})
