import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { turnOnTwoStep } from './support/authenticator.ts'
import { alertsOf } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, PASSWORD } from './support/members.ts'
import { ageSignIn } from './support/old-sign-in.ts'
import { signIn } from './support/sign-in.ts'

const question = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" })

test('an admin who logged in a while ago confirms it with the password before suspending somebody', async ({
  page,
}) => {
  const alerts = alertsOf(page)
  const [admin, rep] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Wanda', lastName: 'Leaving' }),
  ])
  await signIn(page, admin, '/admin/members')
  await ageSignIn(page)
  await page.getByRole('searchbox', { name: 'Search name or email' }).fill('wanda leav')
  await page.getByRole('button', { name: /Wanda Leaving/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Wanda Leaving' })
  await sheet.getByRole('button', { name: 'Suspend' }).click()
  await sheet.getByLabel('Reason').fill('On leave until spring')
  await sheet.getByRole('button', { name: 'Suspend' }).click()
  const password = question(page).getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expectAccessible(page)

  // Closed: nothing happened, and nothing typed is lost.
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(sheet.getByLabel('Reason')).toHaveValue('On leave until spring')
  expect(alerts).toEqual([])

  await sheet.getByRole('button', { name: 'Suspend' }).click()
  await password.fill('a wrong password')
  await page.keyboard.press('Enter')
  const wrong = "Not confirmed: That password isn't correct"
  await expect(question(page).getByRole('alert')).toHaveText(wrong)
  expect(alerts).toEqual([wrong])
  await password.fill(PASSWORD)
  await question(page).getByRole('button', { name: 'Confirm' }).dblclick()
  await expect(question(page)).toHaveCount(0)
  await expect(sheet.getByText('On leave until spring')).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Readmit' })).toBeVisible()
  const again = { email: rep.email, password: rep.password }
  expect((await rep.client.auth.signInWithPassword(again)).error?.code).toBe('user_banned')

  // For 15 minutes it is enough.
  await sheet.getByRole('button', { name: 'Readmit' }).click()
  await expect(sheet.getByRole('button', { name: 'Suspend' })).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Members', level: 1 })).toBeVisible()
})

test('an admin with two-step verification confirms it with a code before inviting', async ({
  page,
}) => {
  const alerts = alertsOf(page)
  const admin = await aMember({ role: 'admin' })
  await signIn(page, admin)
  const { app } = await turnOnTwoStep(page)
  await page.getByRole('button', { name: 'I saved them' }).click()
  await page.goto('/admin/invite')
  await ageSignIn(page)
  await page.getByLabel('Invite by email').fill('guest.of.nobody@example.com')
  await page.getByRole('button', { name: 'Add to the list' }).click()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await question(page)
    .getByLabel('6-digit code')
    .fill(await app.nextCode())
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 invitation sent.')).toBeVisible()
  expect(alerts).toEqual([])
})
