import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, badge, openThread, say } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

test('with mentions only a chat counts when somebody replies, on all devices, until it is read', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana', permissions: { rally_enabled: false } }),
    aMember(),
  ])
  const { id } = await aChat(ana, [ben, await aMember()], { name: 'Loud crew' })
  const [phone, desk] = [await pageOf(browser, ana), await pageOf(browser, ana, '/chat')]
  const card = (page: Page) => page.getByRole('link', { name: /Loud crew/ })
  await openThread(phone, id)
  await phone.getByTitle('Chat details').click()
  const level = phone.getByRole('group', { name: 'Notifications' })
  await expect(level.getByRole('radio', { name: 'All' })).toBeChecked()
  await expectAccessible(phone)
  await level.getByText('Mentions and replies').click()
  await expect(level.getByRole('radio', { name: 'Mentions and replies' })).toBeChecked()
  await expect(card(desk).getByLabel('Mentions and replies only')).toBeVisible()
  await phone.goto('/home')

  const question = await say(ana, id, 'Who comes?')
  await say(ben, id, 'Nice weather')
  await expect(card(desk)).toContainText('Nice weather')
  await expect(card(desk).getByText('1', { exact: true })).toBeVisible()
  expect(await badge(phone)).toBe('0')
  await ben.client
    .from('chat_messages')
    .insert({ chat_id: id, sender_id: ben.id, message: 'Me', reply_to: question })
    .throwOnError()
  await expect(card(desk).getByLabel('You are mentioned')).toBeVisible()
  for (const page of [phone, desk]) await expect.poll(() => badge(page)).toBe('1')
  await expectAccessible(desk)

  // By keyboard, in the list's menu.
  await card(desk).focus()
  await desk.keyboard.press('Tab')
  await desk.keyboard.press('Enter')
  await desk.getByRole('menuitem', { name: 'All messages' }).press('Enter')
  await expect(card(desk).getByLabel('Mentions and replies only')).toHaveCount(0)
  for (const page of [phone, desk]) await expect.poll(() => badge(page)).toBe('2')
  await openThread(phone, id)
  await expect(card(desk).getByLabel('You are mentioned')).toHaveCount(0)
})
