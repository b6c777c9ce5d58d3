import { expect } from '@playwright/test'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test('the audit log loads older entries by itself, and members never see it', async ({ page }) => {
  const admin = await aMember({ role: 'admin', firstName: 'Endless', lastName: 'Pages' })
  for (let count = 0; count < 120; count++) {
    await admin.client
      .from('users')
      .update({ can_create_chats: count % 2 === 1 })
      .eq('id', admin.id)
      .throwOnError()
  }
  await signIn(page, admin, `/admin/audit?by=${admin.id}`)
  const entries = page.getByRole('button', { name: /“Can Create Chats” for Endless Pages/ })
  // The wheel turns what is below the pointer.
  await entries.first().hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4000)
      return entries.count()
    })
    .toBe(120)

  const rep = await aMember()
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await signIn(page, rep, '/admin/audit')
  await expect(page).toHaveURL(/\/home$/)
})
