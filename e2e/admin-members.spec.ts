import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { alertsOf } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { signIn } from './support/sign-in.ts'

test("an admin sees the team's size and the seven entries", async ({ page }) => {
  await signIn(page, await aMember({ role: 'admin' }), '/admin')
  await expect(page.getByRole('link', { name: /^Total Users \d+$/ })).toBeVisible()
  const menu = page.getByRole('list', { name: 'Manage' }).getByRole('listitem')
  await expect(menu).toContainText([
    'Home Screen',
    'Training Content',
    'New Rep Start',
    'Licensing',
    'Schedule',
    'Chat Management',
    'Notification Management',
  ])
  await expect(menu).toHaveCount(7)
  await expectAccessible(page)
})

test('a count that cannot be loaded shows "Error"', async ({ page }) => {
  await signIn(page, await aMember({ role: 'admin' }))
  await asksOneByOne(page)
  await page.route('**/rpc/get_user_count', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/admin')
  await expect(page.getByRole('link', { name: 'Total Users Error' })).toBeVisible()
})

test('a permission switches at once, and rolls back with an alert if it is refused', async ({
  page,
}) => {
  const member = await aMember({ firstName: 'Quinn' })
  const alerts = alertsOf(page)
  await signIn(page, await aMember({ role: 'admin' }), '/admin-manage?type=chat')
  await page.getByLabel('Search members').fill(member.email)
  const toggle = page.getByRole('switch', { name: 'Can Create Chats: Quinn Tester' })
  await expect(toggle).toBeChecked()
  await expectAccessible(page)
  await toggle.click({ force: true })
  await expect(toggle).not.toBeChecked()
  const stored = async () => {
    const client = await serviceClient()
    const answer = await client
      .from('users')
      .select('can_create_chats')
      .eq('id', member.id)
      .single<{ can_create_chats: boolean }>()
    return answer.data?.can_create_chats
  }
  await expect.poll(stored).toBe(false)

  await page.route('**/rest/v1/users?id=eq.*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 403,
          json: { message: 'permission denied for view users', code: '42501' },
        })
      : route.fallback(),
  )
  await toggle.click({ force: true })
  await expect
    .poll(() => alerts)
    .toEqual(['Error updating permission: You are not allowed to do this'])
  await expect(toggle).not.toBeChecked()
})

test('an admin makes a member an admin and reverts it', async ({ page }) => {
  const member = await aMember({ firstName: 'Robin' })
  await signIn(page, await aMember({ role: 'admin' }), '/admin-manage?type=chat')
  await page.getByLabel('Search members').fill(member.email)
  await page.getByRole('button', { name: 'Make Robin Tester an admin' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make admin' }).click()
  await page.getByRole('button', { name: 'Remove Robin Tester as admin' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove admin' }).click()
  await expect(page.getByRole('button', { name: 'Make Robin Tester an admin' })).toBeVisible()
})
