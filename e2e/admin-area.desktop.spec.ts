import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aPicture, anItem, aTitle, openNewItem, save } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf, signIn } from './support/sign-in.ts'

test('an admin at a desk publishes, reorders by keyboard, deletes, restores and sets permissions', async ({
  page,
  browser,
}) => {
  test.slow()
  const category = 'Deliver Policy'
  const [first, second] = [aTitle('First'), aTitle('Second')]
  await anItem('training', { title: first, category, sort_order: 500 })
  const [admin, member] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  await signIn(page, admin, '/admin')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Training Content' }).click()

  await openNewItem(page, 'training')
  await page.getByLabel('Title').fill(second)
  await page.getByRole('dialog').getByLabel('Category').selectOption(category)
  await page.getByLabel('Sort order').fill('501')
  const buffer = await aPicture(page)
  const file = { name: 'red.png', mimeType: 'image/png', buffer }
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/storage/v1/object/images/*', async (route) => {
    await held
    await route.continue()
  })
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByRole('progressbar', { name: 'Uploading image' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Uploading image' })).toBeDisabled()
  letGo()
  await page.getByLabel('Image description').fill('A red square')
  await expect(page.getByRole('img', { name: 'Preview' })).toBeVisible()
  await expectAccessible(page)
  await save(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const members = await pageOf(
    browser,
    member,
    `/training?category=${encodeURIComponent(category)}`,
  )
  const seen = members.getByRole('heading', { level: 2, name: /^(First|Second) / })
  await expect(seen).toHaveText([first, second])
  await page.getByLabel('Category').selectOption(category)
  await page.getByRole('button', { name: `Move ${second}` }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(seen).toHaveText([second, first])
  await expect(page.getByRole('button', { name: `Move ${second}` })).toBeFocused()

  await page.getByRole('button', { name: `Delete ${second}` }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(seen).toHaveText([first])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(seen).toHaveText([second, first])
  await page.getByRole('button', { name: `Delete ${second}` }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(seen).toHaveText([first])
  await page.getByLabel('Show', { exact: true }).selectOption('deleted')
  await page.getByRole('button', { name: `Restore ${second}` }).click()
  await expect(seen).toHaveText([second, first])

  await page.goto('/admin-manage?type=chat')
  await page.getByLabel('Search members').fill(member.email)
  const sending = page.getByRole('switch', { name: 'Can Send Messages: Casey Tester' })
  await expectAccessible(page)
  await sending.click({ force: true })
  const stored = () => member.client.from('users').select('can_send_messages').eq('id', member.id)
  await expect.poll(async () => (await stored()).data).toEqual([{ can_send_messages: false }])
})
