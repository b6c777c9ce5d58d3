import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { alertsOf } from './support/chats.ts'
import { anItem, aTitle, openNewItem, save } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { pageOf, signIn } from './support/sign-in.ts'

let admin: Member

test.beforeEach(async ({ page }) => {
  admin = await aMember({ role: 'admin' })
  await signIn(page, admin)
})

async function titlesIn(page: Page, category: string): Promise<string[]> {
  const list = page.getByRole('region', { name: category })
  return (await list.getByRole('button', { name: /^Edit / }).all()).length === 0
    ? []
    : Promise.all(
        (await list.getByRole('button', { name: /^Edit / }).all()).map(
          async (button) => (await button.getAttribute('aria-label'))?.slice('Edit '.length) ?? '',
        ),
      )
}

test('an admin edits, deletes and restores an item', async ({ page }) => {
  const title = aTitle('Draft')
  await anItem('home', { title })
  await page.goto('/admin-manage?type=home')
  await page.getByRole('button', { name: `Edit ${title}` }).click()
  await page.getByLabel('Title').fill(`${title} edited`)
  await save(page)
  await page.getByRole('button', { name: `Delete ${title} edited` }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(`“${title} edited” is deleted`)).toBeVisible()
  const edited = page.getByText(`${title} edited`, { exact: true })
  await expect(edited).toHaveCount(0)

  await page.getByLabel('Show', { exact: true }).selectOption('deleted')
  await page.getByRole('button', { name: `Restore ${title} edited` }).click()
  await page.getByLabel('Show', { exact: true }).selectOption('active')
  await expect(edited).toBeVisible()
})

test('items are reordered with the arrow keys and by dragging, and members see that order', async ({
  page,
}) => {
  const category = 'Leadership training'
  const titles = ['First', 'Second', 'Third'].map(aTitle)
  for (const [index, title] of titles.entries()) {
    await anItem('training', { title, category, sort_order: 100 + index })
  }
  const [first, second, third] = titles as [string, string, string]
  const ours = async () => (await titlesIn(page, category)).filter((each) => titles.includes(each))
  await page.goto('/admin-manage?type=training')
  await page.getByLabel('Category').selectOption(category)

  await page.getByRole('button', { name: `Move ${first}` }).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(ours).toEqual([second, first, third])
  await page.keyboard.press('ArrowDown')
  await expect.poll(ours).toEqual([second, third, first])

  const handle = page.getByRole('button', { name: `Move ${first}` })
  await handle.scrollIntoViewIfNeeded()
  const from = (await handle.boundingBox())!
  const target = (await page.getByRole('button', { name: `Move ${second}` }).boundingBox())!
  await page.mouse.move(from.x + 20, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, target.y + 60, { steps: 8 })
  await page.mouse.move(from.x + 20, target.y - 20, { steps: 8 })
  await page.mouse.up()
  await expect.poll(ours).toEqual([first, second, third])

  const reader = await page.context().newPage()
  await reader.goto(`/training?category=${encodeURIComponent(category)}`)
  const seen = async () => reader.getByRole('heading', { level: 2 }).allTextContents()
  await expect
    .poll(async () => (await seen()).filter((each) => titles.includes(each)))
    .toEqual([first, second, third])
})

test('a row held at the edge of the screen is dragged to the end of a long list', async ({
  page,
}) => {
  const category = 'Investments'
  const titles = Array.from({ length: 16 }, (_, n) => aTitle(`Step ${n + 1}`))
  for (const [index, title] of titles.entries())
    await anItem('training', { title, category, sort_order: 200 + index })
  const [first, ...rest] = titles as [string, ...string[]]
  await page.goto('/admin-manage?type=training')
  await page.getByLabel('Category').selectOption(category)
  const ours = async () => (await titlesIn(page, category)).filter((each) => titles.includes(each))
  const handle = page.getByRole('button', { name: `Move ${first}` })
  const last = page.getByRole('button', { name: `Move ${rest.at(-1)}` })
  await expect(last).not.toBeInViewport()

  await handle.scrollIntoViewIfNeeded()
  const from = (await handle.boundingBox())!
  await page.mouse.move(from.x + 20, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, page.viewportSize()!.height - 8, { steps: 4 })
  await expect(last).toBeInViewport()
  await expect.poll(ours).toEqual([...rest, first])
  const saved = page.waitForResponse((response) => response.url().endsWith('/rpc/reorder_content'))
  await page.mouse.up()
  await saved
  await page.reload()
  await page.getByLabel('Category').selectOption(category)
  await expect.poll(ours).toEqual([...rest, first])
})

test("the form rejects invalid items (product.md P37, P43) in the product's words", async ({
  page,
}) => {
  const alerts = alertsOf(page)
  await openNewItem(page, 'schedule')
  await save(page)
  await expect.poll(() => alerts.at(-1)).toBe('Title is required')
  await page.getByLabel('Title').fill('Late night')
  await save(page)
  await expect
    .poll(() => alerts.at(-1))
    .toBe('Start time and end time are required for schedule items')
  await page.getByLabel('Start time').fill('20:00')
  await page.getByLabel('End time').fill('20:00')
  await save(page)
  await expect.poll(() => alerts.at(-1)).toBe('Start time must be before end time')
  await page.getByLabel('End time').fill('21:00')
  await page.getByLabel('URL').fill('not a url')
  await save(page)
  await expect
    .poll(() => alerts.at(-1))
    .toBe('URL must be a web address, such as https://example.com')
  await page.locator('input[type=file]').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('not an image'),
  })
  await expect
    .poll(() => alerts.at(-1))
    .toBe('Error uploading image: Only image files can be uploaded')
})

test('unsaved changes are not lost by closing the form', async ({ page }) => {
  await openNewItem(page, 'home')
  await page.getByLabel('Title').fill('Half an idea')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Half an idea')
  await expectAccessible(page)
  await page.evaluate(() => history.back())
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Half an idea')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.evaluate(() => history.back())
  await expect(page).not.toHaveURL(/admin-manage/)
})

test('the second of two admins who edit the same item gets a conflict, and chooses', async ({
  page,
  browser,
}) => {
  const title = aTitle('Shared')
  await anItem('home', { title })
  const other = await pageOf(browser, await aMember({ role: 'admin' }))
  for (const each of [page, other]) {
    await each.goto('/admin-manage?type=home')
    await each.getByRole('button', { name: `Edit ${title}` }).click()
  }
  await page.getByLabel('Description').fill('From the first')
  await save(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await other.getByLabel('Description').fill('From the second')
  await save(other)
  await expect(other.getByText('Someone else changed this item')).toBeVisible()
  await expect(other.getByRole('alert').getByText('From the first')).toBeVisible()
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Load their version' }).click()
  await expect(other.getByLabel('Description')).toHaveValue('From the first')
  await other.getByLabel('Description').fill('Agreed')
  await save(other)
  await expect(page.getByText('Agreed')).toBeVisible()
})

test('a member is sent home from both admin pages', async ({ browser }) => {
  const page = await pageOf(browser, await aMember())
  for (const path of ['/admin', '/admin-manage?type=chat']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/home$/)
  }
})
