import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { alertsOf } from './support/chats.ts'
import { anItem, aTitle } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { pageOf, signIn } from './support/sign-in.ts'

test('training goes from eight categories to items and back to Home', async ({ page }) => {
  await signIn(page, await aMember(), '/training')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(8)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Setting appointments' }).click()
  const resource = page.getByRole('link', { name: /^Open Resource/ }).first()
  await expect(resource).toHaveAttribute('target', '_blank')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByRole('heading', { name: 'Training', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/home$/)
})

test('an empty category offers the others, and a failed load says so', async ({ page }) => {
  const alerts = alertsOf(page)
  await signIn(page, await aMember())
  await asksOneByOne(page)
  await page.route('**/rest/v1/training_content*', (route) => route.fulfill({ json: [] }))
  await page.goto('/training?category=Investments')
  await expect(page.getByText('No Content Available')).toBeVisible()
  await page.getByRole('link', { name: 'Browse Other Categories' }).click()
  await expect(page).toHaveURL(/\/training$/)

  const failure = { status: 500, json: { message: 'the disk is full', code: '53100' } }
  await page.route('**/rest/v1/licensing_content*', (route) => route.fulfill(failure))
  await page.goto('/licensing')
  await expect.poll(() => alerts).toEqual(['Error loading licenses: the disk is full'])
  await page.route('**/rest/v1/schedule_content*', (route) => route.fulfill({ json: [] }))
  await page.goto('/schedule')
  await expect(page.getByText('No Events Scheduled')).toBeVisible()
})

test('licensing opens on life insurance and keeps the tab in the address', async ({ page }) => {
  await signIn(page, await aMember(), '/licensing')
  await expect(page.getByRole('tab', { name: 'Life License' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  // Each tab says how many items it has.
  await expect(page.getByRole('tab', { name: /Life License \d+ items?/ })).toBeVisible()
  await page.getByRole('tab', { name: /Securities License \d+ items?/ }).click()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Securities License' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expectAccessible(page)
})

test("the schedule shows team time, the viewer's time, the next meeting and a calendar file", async ({
  browser,
}) => {
  const title = aTitle('Planning')
  await anItem('schedule', {
    title,
    day_of_week: 'Wednesday',
    url: 'https://zoom.us/j/1',
    meeting_id: '845 111 222',
  })
  const member = await aMember()
  const context = await browser.newContext({ timezoneId: 'America/Los_Angeles' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  await signIn(page, member, '/schedule')
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) })
  await expect(card).toContainText('7:00 PM – 8:30 PM')
  await expect(card).toContainText('Your time: Wednesday, 4:00 PM – 5:30 PM')
  await expect(card.getByRole('link', { name: /^Join Zoom Meeting/ })).toBeVisible()
  await expect(page.getByText(/^Next meeting ·|^Happening now/).first()).toBeVisible()
  await card.getByRole('button', { name: 'Copy Meeting ID' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('845 111 222')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: /^Add to calendar/ }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^planning-.*\.ics$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('RRULE:FREQ=WEEKLY;BYDAY=WE')
  expect(text).toContain('DTSTART;TZID=America/New_York:')
  await expectAccessible(page)
})

test('completed steps show on the banner, and to admins live', async ({ page, browser }) => {
  const title = aTitle('Meet your trainer')
  const firstName = aTitle('Nia').replace(' ', '-')
  await anItem('newrepstart', { title, sort_order: 900 })
  await signIn(page, await aMember({ firstName }))
  const admins = await pageOf(
    browser,
    await aMember({ role: 'admin' }),
    '/admin-manage?type=newrepstart',
  )
  await admins.getByText('Progress', { exact: true }).click()
  await admins.getByLabel('Search members').fill(firstName)
  const line = admins.getByRole('listitem').filter({ hasText: firstName })
  await expect(line).toContainText(/0 of \d+/)
  await expect(line).toContainText('No step yet, joined just now')
  await expectAccessible(admins)

  await page.goto('/newrepstart')
  await expect(page.getByText(/^0 of \d+ done$/)).toBeVisible()
  await page.getByRole('checkbox', { name: `Done: ${title}` }).click()
  await expect(page.getByRole('checkbox', { name: `Done: ${title}` })).toBeChecked()
  await expect(page.getByText(/^1 of \d+ done$/)).toBeVisible()
  await expectAccessible(page)
  await expect(line).toContainText(/1 of \d+/)
  await expect(line).toContainText('Last step just now')
  await admins.getByLabel('Show').selectOption('Stuck')
  await expect(line).toHaveCount(0)
  await admins.getByLabel('Show').selectOption('New members (90 days)')
  await expect(line).toBeVisible()
  await page.goto('/home')
  await expect(page.getByRole('link', { name: /New Rep Start/ })).toContainText(/1\/\d+/)
  await admins.goto('/home')
  const banner = admins.getByRole('link', { name: /New Rep Start/ })
  await expect(banner).toContainText('What new members begin with')
  await expect(banner).not.toContainText(/\d\/\d+/)
})

test('an image that cannot be loaded becomes the logo, and long words do not overflow the screen', async ({
  page,
}) => {
  const title = aTitle('B' + 'r'.repeat(150))
  const id = await anItem('newrepstart', {
    title,
    image_url: 'https://127.0.0.1:1/none.png',
    image_alt: 'A lost picture',
  })
  await signIn(page, await aMember(), '/newrepstart')
  await page.getByRole('heading', { name: title }).scrollIntoViewIfNeeded()
  await expect(page.locator('span[aria-label="A lost picture"] svg')).toBeVisible()
  for (const element of [page.getByRole('main'), page.getByRole('article').last()])
    expect(await element.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  const client = await serviceClient()
  await client.from('newrepstart_content').update({ is_active: false }).eq('id', id)
})
