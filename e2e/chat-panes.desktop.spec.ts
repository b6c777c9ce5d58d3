import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, choose, composer, thread, write } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

test('on a large display the list stays next to the open thread', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const first = await aChat(ana, [ben, await aMember()], { name: 'First crew' })
  await aChat(ana, [ben, await aMember()], { name: 'Second crew', firstMessage: 'Over here' })
  const page = await pageOf(browser, ana, '/chat')
  await expect(page.getByText('Select a chat to read it here')).toBeVisible()
  await page.getByRole('link', { name: /First crew/ }).click()
  await expect(page).toHaveURL(new RegExp(`/chat/${first.id}$`))
  await write(page, 'From the desk')
  const card = page.getByRole('link', { name: /First crew/ })
  await expect(card).toContainText('You: From the desk')
  await expect(card).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)
  await page.getByRole('link', { name: /Second crew/ }).click()
  await expect(thread(page).getByText('Over here')).toBeVisible()
  await expect(composer(page)).toBeVisible()
})

test('what is typed after a chat was chosen goes to it', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  await aChat(ana, [ben, await aMember()], { name: 'First crew' })
  await aChat(ana, [ben, await aMember()], { name: 'Second crew' })
  const page = await pageOf(browser, ana, '/chat')
  await page.getByRole('link', { name: /First crew/ }).click()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('Said at once')
  await page.keyboard.press('Enter')
  await expect(thread(page).getByText('Said at once')).toBeVisible()
  await page.getByRole('link', { name: /Second crew/ }).press('Enter')
  await expect(page.getByRole('heading', { name: /Second crew/ })).toBeVisible()
  await expect(composer(page)).toBeFocused()
})

test('a chat can be muted, archived and hidden, and each can be undone', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  await aChat(ana, [ben, await aMember()], { name: 'Old crew' })
  const page = await pageOf(browser, ana, '/chat')
  const card = page.getByRole('link', { name: /Old crew/ })
  const choose = async (item: string) => {
    await card.hover()
    await page.getByRole('button', { name: 'Options for Old crew' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await choose('Mute')
  await expect(card.getByLabel('Muted')).toBeVisible()
  await choose('Unmute')
  await expect(card.getByLabel('Muted')).toHaveCount(0)
  await choose('Archive')
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card).toBeVisible()
  await choose('Archive')
  await expect(card).toHaveCount(0)
  await page.getByRole('tab', { name: 'Archived' }).click()
  await choose('Unarchive')
  await page.getByRole('tab', { name: 'Groups' }).click()
  await choose('Hide')
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('button', { name: 'Unhide Old crew' }).click()
  await expect(page.getByText('No chat is hidden anymore.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(card).toBeVisible()
})

test('a pinned chat is at the top on all devices, and can be unpinned and undone', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const others = [ben, await aMember()]
  await aChat(ana, others, { name: 'Pinned crew' })
  await aChat(ana, others, { name: 'Busy crew' })
  const [desk, phone] = [await pageOf(browser, ana, '/chat'), await pageOf(browser, ana, '/chat')]
  const first = (page: Page) =>
    page.getByRole('tabpanel').getByRole('link').filter({ hasText: 'crew' }).first()
  await expect(first(phone)).toContainText('Busy crew')
  const card = desk.getByRole('link', { name: /Pinned crew/ })
  await card.focus()
  await desk.keyboard.press('Tab')
  await desk.keyboard.press('Enter')
  await desk.getByRole('menuitem', { name: 'Pin', exact: true }).press('Enter')
  await expect(card.getByLabel('Pinned')).toBeVisible()
  for (const page of [desk, phone]) await expect(first(page)).toContainText('Pinned crew')
  await expectAccessible(desk)
  await desk.getByRole('button', { name: 'Undo' }).click()
  for (const page of [desk, phone]) await expect(first(page)).toContainText('Busy crew')
})

test('a chat marked as unread has a dot on all devices until it is opened', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const others = [ben, await aMember()]
  const { id } = await aChat(ana, others, { name: 'Later crew' })
  await aChat(ana, others, { name: 'Read crew' })
  const [desk, phone] = [
    await pageOf(browser, ana, `/chat/${id}`),
    await pageOf(browser, ana, '/chat'),
  ]
  const card = (page: Page) => page.getByRole('link', { name: /Later crew/ })
  await expect(composer(desk)).toBeVisible()
  await card(desk).click({ button: 'right' })
  await desk.getByRole('menuitem', { name: 'Mark as unread' }).click()
  // What is open counts as read, so it is closed.
  await expect(desk).toHaveURL(/\/chat$/)
  for (const page of [desk, phone])
    await expect(card(page).getByText('Marked as unread')).toBeAttached()
  await phone.getByRole('button', { name: 'Unread', exact: true }).click()
  await expect(phone.getByRole('link', { name: /Read crew/ })).toHaveCount(0)
  await expectAccessible(phone)
  await card(phone).click()
  await expect(composer(phone)).toBeVisible()
  await expect(card(desk).getByText('Marked as unread')).toHaveCount(0)
})

test('the creator adds and removes members and renames the group; a member leaves', async ({
  browser,
}) => {
  const [ana, ben, cleo] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
    aMember({ firstName: 'Cleo' }),
  ])
  const { id } = await aChat(ana, [ben, await aMember()], { name: 'Crew' })
  const [anasPage, bensPage] = [await pageOf(browser, ana), await pageOf(browser, ben)]
  await anasPage.goto(`/chat/${id}`)
  await anasPage.getByTitle('Chat details').click()
  await anasPage.getByRole('button', { name: 'Add members' }).click()
  await choose(anasPage, cleo)
  await anasPage.getByRole('button', { name: 'Add 1' }).click()
  await expect(anasPage.getByRole('dialog').getByText('Cleo Tester')).toBeVisible()
  await anasPage.getByRole('button', { name: /^Remove Cleo Tester/ }).click()
  await anasPage.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(anasPage.getByRole('dialog').getByText('Cleo Tester')).toHaveCount(0)

  await bensPage.goto(`/chat/${id}`)
  await expect(bensPage.getByRole('heading', { name: /Crew/ })).toBeVisible()
  await anasPage.getByRole('button', { name: 'Rename group' }).click()
  await anasPage.getByLabel('Group name').fill('Saturday crew')
  await expectAccessible(anasPage)
  await anasPage.getByRole('button', { name: 'Save' }).click()
  await expect(anasPage.getByRole('dialog', { name: 'Saturday crew' })).toBeVisible()
  await expect(bensPage.getByRole('heading', { name: /Saturday crew/ })).toBeVisible()
  await expect(bensPage.getByRole('link', { name: /Saturday crew/ })).toBeVisible()
  await bensPage.getByTitle('Chat details').click()
  await expect(bensPage.getByRole('button', { name: 'Rename group' })).toHaveCount(0)
  await bensPage.getByRole('button', { name: 'Leave group' }).click()
  await bensPage.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click()
  await bensPage.getByRole('button', { name: 'Undo' }).click()
  await bensPage.getByRole('link', { name: /Saturday crew/ }).click()
  await bensPage.getByTitle('Chat details').click()
  await bensPage.getByRole('button', { name: 'Leave group' }).click()
  await bensPage.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }).click()
  await expect(bensPage).toHaveURL(/\/chat$/)
  await expect(bensPage.getByRole('link', { name: /crew/ })).toHaveCount(0)
})
