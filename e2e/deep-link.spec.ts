import { expect } from '@playwright/test'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { fillLogin } from './support/sign-in.ts'

test('a signed-out visitor lands on login and, after it, on the requested page', async ({
  page,
}) => {
  const member = await aMember()
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/$/)
  await fillLogin(page, member)
  await expect(page).toHaveURL(/\/profile$/, { timeout: 15_000 })
  await expect(page.getByText(member.email)).toBeVisible()
})

const MEMBERS_ONLY = [
  '/home',
  '/newrepstart',
  '/training',
  '/schedule',
  '/licensing',
  '/calculator',
  '/chat',
  '/chat/create',
  '/chat/0b0e7b1e-52a5-4c1c-9a46-0d3f8e1c2a11',
  '/profile',
  '/admin',
  '/admin-manage',
  '/new-password',
]

test('a signed-out visitor of any screen is sent to login', async ({ page }) => {
  for (const path of MEMBERS_ONLY) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
      await expect(page).toHaveURL(/\/$/)
    })
  }
})
