import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, say } from './support/chats.ts'
import { DANA } from './support/demo-team.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test('with forced colors, borders, selections and switches stay visible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn(page, DANA)
  const ground = (locator: string) =>
    page
      .locator(locator)
      .first()
      .evaluate((each) => getComputedStyle(each).backgroundColor)
  expect(await ground('nav [aria-current=page]')).not.toBe(
    await ground('nav a:not([aria-current])'),
  )
  await page.goto('/admin-manage?type=chat')
  const button = page.getByRole('button', { name: /^Change all/ })
  await expect(button).toHaveCSS('border-top-width', '1px')
  await expect(page.locator('[role=switch] + span').first()).toHaveCSS('border-top-width', '1px')
  await page.goto('/profile')
  expect(await ground('label:has(> input[type=radio]:checked)')).not.toBe(
    await ground('label:has(> input[type=radio]:not(:checked))'),
  )
  const row = page.getByRole('button', { name: 'Change name' })
  await page.keyboard.press('Tab')
  await row.focus()
  await expect(row).toHaveCSS('outline-style', 'solid')
  await expectAccessible(page)
})

test('the keyboard alone reaches everything, and focus returns', async ({ page }) => {
  await signIn(page, DANA, '/profile')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveTitle('Profile · Rally')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  const opener = page.getByRole('button', { name: 'Change name' })
  await opener.press('Enter')
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await page.getByRole('link', { name: 'Back' }).press('Enter')
  await expect(page).toHaveTitle(/^Good .* · Rally$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('link', { name: 'Schedule', exact: true }).press('Enter')
  await expect(page.getByRole('link', { name: 'Schedule', exact: true })).toBeFocused()
  await expect(page.locator('[aria-live=polite].sr-only')).toContainText('Schedule')
})

test('an arriving message is announced', async ({ page }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await signIn(page, ana)
  await openThread(page, id)
  // The role `log` makes it a polite live region.
  await say(ben, id, 'The doors are open')
  await expect(page.getByRole('log').getByText('The doors are open')).toBeVisible()
})

test('pulling a list down refreshes it', async ({ page }) => {
  await signIn(page, DANA, '/schedule')
  await expect(page.locator('article').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  let asked = 0
  page.on('request', (request) => {
    if (`${request.url()} ${request.postData()}`.includes('schedule_content')) asked++
  })
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: y ? [{ x: 200, y }] : [] })
  await touch('touchStart', 200)
  for (const y of [230, 280, 340, 400]) await touch('touchMove', y)
  expect(asked, 'before the list is let go').toBe(0)
  await touch('touchEnd')
  await expect.poll(() => asked).toBe(1)
  await expect(page.locator('[aria-live=polite].sr-only')).toContainText('Refreshed')
})
