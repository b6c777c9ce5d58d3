import { expect, type Page } from '@playwright/test'
import { aChat, say, thread } from './support/chats.ts'
import { aTitle, anItem } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test('Back closes an open menu or dialog first, then leaves the screen', async ({ page }) => {
  await signIn(page, await aMember())
  const more = page.getByRole('button', { name: 'More' })
  await more.click()
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await page.getByRole('button', { name: 'Change name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change name' })
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/profile$/)
  await more.click()
  await expect(more).toHaveAttribute('aria-expanded', 'true')
  await page.goBack()
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toHaveURL(/\/profile$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/home$/)
})

test('going back, by the browser or by the arrow, leads to where one was on the screen, and a link to its top', async ({
  page,
}) => {
  await signIn(page, await aMember({ role: 'admin' }), '/admin')
  const log = page.getByRole('link', { name: /^Audit Log/ })
  const heading = page.getByRole('heading', { level: 1 })
  const position = () => page.locator('#main').evaluate(({ scrollTop }) => scrollTop)
  await log.scrollIntoViewIfNeeded()
  const before = await position()
  expect(before).toBeGreaterThan(200)
  await log.click()
  await expect(heading).toHaveText('Audit Log')
  expect(await position()).toBe(0)
  await page.goBack()
  await expect.poll(position).toBe(before)
  await log.click()
  await expect(heading).toHaveText('Audit Log')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(heading).toHaveText('Admin')
  await expect.poll(position).toBe(before)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Profile', exact: true }).click()
  await expect(heading).toHaveText('Profile')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Admin', exact: true }).click()
  await expect(heading).toHaveText('Admin')
  expect(await position()).toBe(0)
})

test('on the screen the app was opened with, Back closes a layer instead of leaving the app', async ({
  page,
}) => {
  await signIn(page, await aMember())
  await page.goto('about:blank')
  await page.goto('/schedule')
  const more = page.getByRole('button', { name: 'More' })
  await more.click()
  await expectLayerInHistory(page)
  await page.goBack()
  await expect(more).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toHaveURL(/\/schedule$/)
  // From here a link and two steps back lead where they always did.
  await page.getByRole('link', { name: 'Home' }).click()
  await page.goBack()
  await expect(page).toHaveURL(/\/schedule$/)
  await page.goBack()
  await expect(page).toHaveURL('about:blank')
})

test('Back closes an open picture, whose viewer is loaded first, also on the screen the app was opened with', async ({
  page,
}) => {
  const title = aTitle('Flyer')
  await anItem('training', {
    title,
    category: 'Investments',
    image_url: 'https://127.0.0.1:1/none.png',
  })
  await signIn(page, await aMember())
  await page.goto('about:blank')
  await page.goto('/training?category=Investments')
  await page.getByRole('button', { name: `Open image: ${title}` }).click()
  const picture = page.getByRole('dialog')
  await expect(picture).toBeVisible()
  await expectLayerInHistory(page)
  await page.goBack()
  await expect(picture).toBeHidden()
  await expect(page).toHaveURL(/\/training\?category=/)
})

test('Back closes the menu of a long press and the dialog it leads to; a toast does not hold it up', async ({
  page,
}) => {
  const [ana, ben] = await Promise.all([aMember(), aMember({ firstName: 'Ben' })])
  const { id } = await aChat(ana, [ben])
  await say(ana, id, 'See you there')
  await signIn(page, ana, '/chat')
  await page.getByRole('link', { name: /Ben/ }).click()
  const menu = page.getByRole('menu')
  const openMenu = async () => {
    await longPress(page, 'See you there')
    await expect(menu).toBeVisible()
  }
  await openMenu()
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(page).toHaveURL(new RegExp(id))

  await openMenu()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await page.goBack()
  await expect(question).toBeHidden()
  await expect(page).toHaveURL(new RegExp(id))

  await openMenu()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/chat$/)
})

async function longPress(page: Page, text: string) {
  const box = await thread(page).getByText(text).boundingBox()
  const session = await page.context().newCDPSession(page)
  const point = { x: box!.x + 5, y: box!.y + 5 }
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await expect(page.getByRole('menu')).toBeVisible()
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** Closing layers is loaded after the screen. */
async function expectLayerInHistory(page: Page) {
  await expect
    .poll(() => page.evaluate(() => (history.state as { hasBeneath?: boolean } | null)?.hasBeneath))
    .toBe(true)
}
