import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, composer, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import {
  chooseFromMenu,
  expectFocusKept,
  expectFocusOnARow,
  pressOn,
  tabTo,
  typeInto,
} from './support/keyboard.ts'
import { aMember, type Member } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

const PHONE = { width: 412, height: 915 }
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const card = (page: Page, name: RegExp) => page.getByRole('link', { name })
const title = (page: Page, name: RegExp | string) => page.getByRole('heading', { level: 1, name })

let ana: Member
let ben: Member
let cleo: Member

test.beforeEach(async () => {
  ;[ana, ben, cleo] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben', lastName: `B${Date.now()}` }),
    aMember({ firstName: 'Cleo', lastName: `C${Date.now()}` }),
  ])
})

test('a group is created, used, inspected and left with the keyboard alone', async ({
  browser,
}) => {
  await aChat(ben, [ana], { firstMessage: 'Hello Ana' })
  const page = await pageOf(browser, ana, '/chat')
  await expect(card(page, /Hello Ana/)).toBeVisible()
  await tabTo(page, page.getByRole('tab', { name: 'All' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Individual' })).toBeFocused()
  await tabTo(page, card(page, /Hello Ana/))

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(button(page, 'Create a chat')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(title(page, 'New Chat')).toBeVisible()
  for (const member of [ben, cleo]) {
    await typeInto(page, page.getByRole('searchbox'), `${member.firstName} ${member.lastName}`)
    await expect(page.getByRole('checkbox')).toHaveCount(1)
    await pressOn(page, page.getByRole('checkbox', { name: new RegExp(member.email) }), 'Space')
    await expect(button(page, `Remove ${member.firstName} ${member.lastName}`)).toBeVisible()
    await expectFocusKept(page)
    await page.getByRole('searchbox').focus()
  }
  await typeInto(page, page.getByLabel('Group name'), 'Saturday crew')
  await typeInto(page, page.getByLabel('First message'), 'Welcome, both of you')
  await pressOn(page, button(page, 'Send & Create Chat'))
  await expect(composer(page)).toBeFocused()
  await expect(page).toHaveTitle('Saturday crew · Rally')

  await typeInto(page, composer(page), 'Doors open at ten')
  await page.keyboard.press('Enter')
  await expect(composer(page)).toBeFocused()
  const message = thread(page).getByRole('article').filter({ hasText: 'Doors open' })
  const choose = async (item: string) => {
    await message.getByRole('button', { name: 'Message options' }).focus()
    await chooseFromMenu(page, item)
  }
  await expect(message.getByText(/Sending/)).toHaveCount(0)
  await choose('Edit')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Doors open at nine')
  await page.keyboard.press('Enter')
  await expect(thread(page).getByText('Doors open at nine')).toBeVisible()
  await expect(composer(page)).toBeFocused()

  await choose('Reply')
  await pressOn(page, page.getByRole('main').getByRole('button', { name: 'Cancel' }))
  await expectAccessible(page)
  await expect(composer(page)).toBeFocused()

  await choose('Delete')
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
  await expect(thread(page).getByText('This message was deleted')).toBeVisible()
  await expectAccessible(page)
  await expectFocusKept(page)
  expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('main')

  const details = page.getByTitle('Chat details')
  await details.focus()
  await page.keyboard.press('Enter')
  await pressOn(page, button(page, 'Rename group'))
  await expect(page.getByLabel('Group name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Saturday crew' })).toBeVisible()
  await pressOn(page, button(page, `Remove Cleo ${cleo.lastName} from the group`))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }))
  await expect(page.getByRole('dialog').getByText(cleo.lastName)).toHaveCount(0)
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(details).toBeFocused()
  await page.keyboard.press('Enter')
  await pressOn(page, button(page, 'Leave group'))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Leave group' }))
  await expect(page).toHaveURL(/\/chat$/)
  await expect(title(page, 'Chat')).toBeFocused()
})

test('focus follows its card when the list is reordered or the card is removed', async ({
  browser,
}) => {
  const others = await Promise.all([aMember(), aMember()])
  const chats = []
  for (const name of ['First crew', 'Second crew', 'Third crew']) {
    chats.push(await aChat(ben, [ana, ...others], { name }))
  }
  await Promise.all(chats.map(({ id }) => ana.client.rpc('mark_chat_read', { chat_id: id })))
  const page = await pageOf(browser, ana, '/chat')
  await tabTo(page, card(page, /Second crew/))
  await say(ben, chats[0]!.id, 'This one rises')
  const names = page.getByRole('tabpanel').getByRole('link')
  await expect(names.filter({ hasText: 'crew' }).first()).toContainText('First crew')
  await expect(card(page, /Second crew/)).toBeFocused()

  await page.keyboard.press('Tab')
  await expect(button(page, 'Options for Second crew')).toBeFocused()
  await expectAccessible(page)
  await chooseFromMenu(page, 'Archive')
  await expect(card(page, /Second crew/)).toHaveCount(0)
  await expectFocusOnARow(page)

  await page.setViewportSize(PHONE)
  await tabTo(page, card(page, /Third crew/))
  await page.keyboard.press('Enter')
  await expect(title(page, /Third crew/)).toBeVisible()
  await expect(composer(page)).toBeFocused()
  await pressOn(page, page.getByRole('link', { name: 'Back to chats' }))
  await expect(title(page, 'Chat')).toBeFocused()
  await expect(page).toHaveTitle('Chat · Rally')
})
