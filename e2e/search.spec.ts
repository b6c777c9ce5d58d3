import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, say, thread } from './support/chats.ts'
import { anItem, aTitle } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

const field = (page: Page) => page.getByRole('combobox')
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

test('from Home a member finds a message, and later the same search on this device', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana])
  await say(ben, id, 'The gazebo is booked')
  for (let n = 0; n < 3; n++) await say(ben, id, `And then ${n}`)
  const page = await pageOf(browser, ana, '/home')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(field(page)).toBeFocused()
  await field(page).fill('gazbeo')
  await expect(page.getByRole('group', { name: 'Messages with similar words' })).toBeVisible()
  await field(page).fill('gazebo')
  const found = page.getByRole('group', { name: 'Messages', exact: true }).getByRole('option')
  await expect(found).toContainText('The gazebo is booked')
  await found.click()
  await expect(page).toHaveURL(new RegExp(`/chat/${id}`))
  await expect(thread(page).getByText('The gazebo is booked')).toBeVisible()

  await page.goto('/home')
  await page.getByRole('button', { name: 'Search' }).click()
  await option(page, 'gazebo').click()
  await expect(field(page)).toHaveValue('gazebo')
  await expect(found).toContainText('The gazebo is booked')
})

test('filters are chips: typed, pressed and removed', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], {
    name: aTitle('Crew'),
    firstMessage: 'Pergola from Casey',
  })
  await say(ana, id, 'Pergola from Ana')
  const page = await pageOf(browser, ana, '/home')
  await page.getByRole('button', { name: 'Search' }).click()
  await field(page).fill('pergola from:me')
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(option(page, /Pergola from Ana/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter From: me' }).click()
  await expect(field(page)).toHaveValue('pergola')
  await expect(option(page, /Pergola from Casey/)).toBeVisible()
  await page.getByRole('button', { name: 'before:' }).click()
  await expect(field(page)).toHaveValue('pergola before:')
  await expect(page.getByText('Write the date like this')).toBeVisible()
  await field(page).fill('pergola before:2020-01-01')
  await expect(page.getByText('Nothing found')).toBeVisible()
})

test('offline the search says so, keeps what was typed, and shows results once connected', async ({
  browser,
}) => {
  const ana = await aMember({ firstName: 'Ana' })
  const title = aTitle('Veranda')
  await anItem('training', { title, category: 'Investments' })
  const page = await pageOf(browser, ana, '/home')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(field(page)).toBeFocused()
  await page.context().setOffline(true)
  await field(page).fill(title)
  await expect(page.getByText('Search needs a connection')).toBeVisible()
  await page.context().setOffline(false)
  await expect(option(page, title)).toBeVisible()
  await expect(field(page)).toHaveValue(title)
  await option(page, title).click()
  await expect(page.getByRole('article').filter({ hasText: title })).toBeFocused()
})

test('recent searches leave the device at log-out', async ({ browser }) => {
  const ana = await aMember({ firstName: 'Ana' })
  const title = aTitle('Terrace')
  await anItem('schedule', { title })
  const page = await pageOf(browser, ana, '/home')
  await page.getByRole('button', { name: 'Search' }).click()
  await field(page).fill(title)
  await option(page, title).click()
  await expect(page.getByRole('article').filter({ hasText: title })).toBeFocused()
  const kept = () =>
    page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith('recent-searches')),
    )
  expect(await kept()).toHaveLength(1)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  // The login does not wait for it.
  await expect.poll(kept).toEqual([])
})

test('the search is accessible, empty and with results, light and dark', async ({ browser }) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Bartholomew', lastName: 'Featherstonehaugh-Wellington' }),
  ])
  await aChat(ben, [ana], { firstMessage: 'Featherstonehaugh says hello' })
  const page = await pageOf(browser, ana, '/home')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByText('Find anything')).toBeVisible()
  await inBothThemes(page)
  await field(page).fill('feather from:')
  await expect(option(page, /says hello/).first()).toBeVisible()
  await inBothThemes(page)
})

async function inBothThemes(page: Page) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}
