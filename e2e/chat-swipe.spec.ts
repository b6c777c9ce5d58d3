import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, composer } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

/** A finger on the middle of it, which moves that far and is lifted. */
async function swipe(page: Page, on: Locator, { x = 0, y = 0 }): Promise<void> {
  const box = await on.boundingBox()
  if (!box) throw new Error('nothing to swipe')
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const finger = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: share === undefined ? [] : [{ x: from.x + x * share, y: from.y + y * share }],
    })
  await send('touchStart', 0)
  for (const share of [0.1, 0.3, 0.6, 0.9, 1]) await send('touchMove', share)
  await send('touchEnd')
}

test('a chat swiped to the left is archived, to the right marked, and both can be undone', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  await aChat(ana, [ben, await aMember()], { name: 'Swiped crew' })
  const page = await pageOf(browser, ana, '/chat')
  const card = page.getByRole('link', { name: /Swiped crew/ })
  await expect(card).toBeVisible()

  await swipe(page, card, { x: 110 })
  await expect(card.getByText('Marked as unread')).toBeAttached()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card.getByText('Marked as unread')).toHaveCount(0)

  // Too short, or up and down: nothing happens, and nothing is opened.
  await swipe(page, card, { x: -40 })
  await swipe(page, card, { x: -60, y: 90 })
  await expect(page).toHaveURL(/\/chat$/)
  await expect(card).toBeVisible()

  await swipe(page, card, { x: -110 })
  await expect(card).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card).toBeVisible()
  await expect(page).toHaveURL(/\/chat$/)
  await card.tap()
  await expect(composer(page)).toBeVisible()
})
