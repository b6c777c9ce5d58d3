import { randomUUID } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { linkFor } from './support/mailbox.ts'
import { PASSWORD } from './support/members.ts'
import { fillLogin } from './support/sign-in.ts'

test('a new rep signs up, opens the link in the mail, logs in and is greeted by first name', async ({
  page,
  context,
}) => {
  const email = `nina.${randomUUID().slice(0, 8)}@example.com`
  await page.goto('/')
  await expectAccessible(page)
  await page.getByText('Create Account').click()
  await page.getByLabel('First Name').fill('Nina')
  await page.getByLabel('Last Name').fill('Alvarez')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Verify Account' }).click()
  await expect(page.getByText("We're sending you an email...")).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByText('Checking for verification...')).toBeVisible()
  await expectAccessible(page)

  const mail = await context.newPage()
  await mail.goto(await linkFor(email))
  await expect(page.getByText('Email Verified!')).toBeVisible()
  await expect(page.getByText('Your account has been successfully verified.')).toBeVisible()
  await page.getByText('Continue to Login').click()

  // The link was opened in this browser, so a session may exist already; then login forwards to Home.
  await page.waitForURL(/\/(home)?$/)
  if (!page.url().endsWith('/home')) {
    await fillLogin(page, { email, password: PASSWORD })
    await expect(page.getByText('Logging in...')).toBeVisible()
  }
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByRole('heading', { name: /Nina/ })).toBeVisible()
  await expectAccessible(page)
})
