import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { alertsOf } from './support/chats.ts'
import { aTitle } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { signIn } from './support/sign-in.ts'

test("an admin sees the team's size and one menu of all there is to manage", async ({ page }) => {
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
    'Team settings',
    'System',
  ])
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
  await expect.poll(() => mayCreate(member)).toBe(false)

  await page.route('**/rest/v1/users?id=in.*', (route) =>
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
  const menu = page.getByRole('button', { name: 'Options for Robin Tester' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Make admin' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make admin' }).click()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Remove admin' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove admin' }).click()
  await menu.click()
  await expect(page.getByRole('menuitem', { name: 'Make admin' })).toBeVisible()
})

test('an admin turns a permission off for everybody whom the search finds, and takes it back', async ({
  page,
}) => {
  const family = aTitle('Bulk').replace(' ', '-')
  const [ana, ben, cal] = await Promise.all([
    aMember({ firstName: 'Ana', lastName: family }),
    aMember({ firstName: 'Ben', lastName: family }),
    aMember({ firstName: 'Cal' }),
  ])
  await signIn(page, await aMember({ role: 'admin' }), '/admin-manage?type=chat')
  const search = page.getByLabel('Search members')
  const create = (name: string) => page.getByRole('switch', { name: `Can Create Chats: ${name}` })
  await search.fill(family)
  await create(`Ben ${family}`).click({ force: true })
  await expect(create(`Ben ${family}`)).not.toBeChecked()

  await page.getByRole('button', { name: 'Change all 2' }).click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Turn off “Create Chats”' }).click()
  const question = page.getByRole('alertdialog', {
    name: 'Turn off “Create Chats” for 1 member?',
  })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Turn off “Create Chats”' }).click()
  await expect(create(`Ana ${family}`)).not.toBeChecked()
  await expect.poll(() => Promise.all([ana, ben, cal].map(mayCreate))).toEqual([false, false, true])
  // Only what it changed is taken back.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => Promise.all([ana, ben, cal].map(mayCreate))).toEqual([true, false, true])
})

async function mayCreate({ id }: { id: string }): Promise<boolean | undefined> {
  const client = await serviceClient()
  const response = await client
    .from('users')
    .select('can_create_chats')
    .eq('id', id)
    .single<{ can_create_chats: boolean }>()
  return response.data?.can_create_chats
}
