import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, composer, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { chooseFromMenu } from './support/keyboard.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

test('a message is sent, replied to and reacted to with the keyboard alone', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  await aChat(ben, [ana], { firstMessage: 'Can you ride along?' })
  const page = await pageOf(browser, ana, '/chat')
  await page.getByRole('link', { name: /Can you ride along/ }).focus()
  await page.keyboard.press('Enter')
  await expect(thread(page).getByText('Can you ride along?')).toBeVisible()

  await tabTo(page, 'Message options')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'React with 👍' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: '👍, 1 reaction' })).toBeVisible()

  await expect(page.getByRole('button', { name: 'Message options' })).toBeFocused()
  await chooseFromMenu(page, 'Reply')
  await expect(page.getByText('Replying to Casey Tester')).toBeVisible()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('Yes, at nine')
  await page.keyboard.press('Enter')
  const reply = thread(page).getByRole('article').filter({ hasText: 'Yes, at nine' })
  await expect(reply.getByRole('button', { name: /Can you ride along/ })).toBeVisible()
  await expect(composer(page)).toBeFocused()
})

test('search, picker, details and an open image are accessible, light and dark', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben, await aMember()], { name: 'Crew', firstMessage: 'Photo?' })
  const page = await pageOf(browser, ana, `/chat/${id}`)
  const picture = await page.getByRole('navigation').screenshot()
  await page
    .getByLabel('Photos', { exact: true })
    .setInputFiles({ name: 'deck.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(thread(page).getByText(/Sending/)).toHaveCount(0)

  await page.getByTitle('Open the image').click()
  await inBothThemes(page)
  await page.keyboard.press('Escape')
  await page.getByTitle('Chat details').click()
  await expect(page.getByRole('dialog').getByText('Creator')).toBeVisible()
  await inBothThemes(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('Messages', { exact: true }).click()
  await page.getByRole('searchbox').fill('photo')
  await expect(page.getByRole('link', { name: /Photo\?/ }).first()).toBeVisible()
  await inBothThemes(page)
  await page.goto('/chat/create')
  await page.getByRole('checkbox').first().check()
  await inBothThemes(page)
})

async function inBothThemes(page: Page) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}

async function tabTo(page: Page, name: string) {
  const wanted = page.getByRole('button', { name })
  for (let n = 0; n < 40; n++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(wanted).toBeFocused()
}
