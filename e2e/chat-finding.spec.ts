import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

async function openTool(page: Page, name: string) {
  await page.getByTitle('Chat details').click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

test('a chat is searched, and a hit far back is shown in its place', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], { firstMessage: 'The pineapple plan' })
  await aChat(ben, [ana, await aMember()], { firstMessage: 'Pineapple elsewhere' })
  const rows = Array.from({ length: 120 }, (_, n) => ({
    chat_id: id,
    sender_id: ana.id,
    message: `Later ${n}`,
  }))
  await ana.client.from('chat_messages').insert(rows).throwOnError()
  await ana.client.rpc('mark_chat_read', { chat_id: id })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await expect(thread(page).getByText('Later 119')).toBeVisible()
  await openTool(page, 'Search in this chat')
  const sheet = page.getByRole('dialog', { name: 'Search in this chat' })
  await sheet.getByRole('searchbox').fill('pineap')
  await expect(sheet.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await sheet.getByRole('button', { name: /The pineapple plan/ }).click()
  await expect(sheet).toBeHidden()
  await expect(thread(page).getByText('The pineapple plan')).toBeInViewport()
  await openTool(page, 'Search in this chat')
  await sheet.getByRole('searchbox').fill('nothing like this')
  await expect(sheet.getByText('No messages found')).toBeVisible()
})

test('a date leads to the first message of that day, or after it', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], { firstMessage: 'Welcome' })
  const rows = Array.from({ length: 200 }, (_, n) => ({
    chat_id: id,
    sender_id: ben.id,
    message: `Day ${n}`,
    sent_at: new Date(Date.UTC(2026, 2, 1 + n, 17)).toISOString(),
  }))
  const service = await serviceClient()
  await service.from('chat_messages').insert(rows).throwOnError()
  await ana.client.rpc('mark_chat_read', { chat_id: id })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await expect(thread(page).getByText('Welcome')).toBeVisible()
  await openTool(page, 'Jump to a date')
  const sheet = page.getByRole('dialog', { name: 'Jump to a date' })
  await expect(sheet.getByRole('button', { name: 'Jump', exact: true })).toBeDisabled()
  await sheet.getByLabel('Date').fill('2026-04-10')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Jump', exact: true }).click()
  await expect(thread(page).getByText('Day 40', { exact: true })).toBeInViewport()
})

test('the photos of a chat are side by side, and one opens alone', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember(), aMember({ firstName: 'Ben' })])
  const { id } = await aChat(ben, [ana])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 20 })
    canvas.getContext('2d')?.fillRect(0, 0, 40, 20)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  for (let n = 0; n < 3; n++) {
    const messageId = crypto.randomUUID()
    const path = `${id}/${messageId}.png`
    const upload = ben.client.storage.from('chat-images')
    const { error } = await upload.upload(path, Buffer.from(base64, 'base64'), {
      contentType: 'image/png',
    })
    expect(error).toBeNull()
    const attachment = { path, width: 40, height: 20 }
    const row = { id: messageId, chat_id: id, sender_id: ben.id, message: '', attachment }
    await ben.client.from('chat_messages').insert(row).throwOnError()
  }
  await openTool(page, 'Photos')
  const sheet = page.getByRole('dialog', { name: 'Photos' })
  await expect(sheet.getByRole('img', { name: 'Image sent by Ben Tester' })).toHaveCount(3)
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Image sent by Ben Tester' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Image sent by Ben Tester' })).toBeVisible()
})

test('any emoji is a reaction: searched, by keyboard, and the same on the other side', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], { firstMessage: 'We closed the deal' })
  const [anas, bens] = [await pageOf(browser, ana), await pageOf(browser, ben)]
  await openThread(anas, id)
  await openThread(bens, id)
  const message = () => thread(anas).getByText('We closed the deal')
  await message().click({ button: 'right' })
  await anas.getByRole('menuitem', { name: 'More emojis' }).click()
  const picker = anas.getByRole('dialog', { name: 'Choose an emoji' })
  await expect(picker.getByRole('button', { name: 'grinning face', exact: true })).toBeVisible()
  await expectAccessible(anas)
  await picker.getByRole('searchbox').fill('fire eng')
  await picker.getByRole('button', { name: 'fire engine' }).click()
  await expect(picker).toBeHidden()
  await expect(bens.getByRole('button', { name: '🚒, 1 reaction' })).toBeVisible()

  await message().click({ button: 'right' })
  await anas.getByRole('menuitem', { name: 'More emojis' }).press('Enter')
  await expect(picker.getByRole('button', { name: 'grinning face', exact: true })).toBeVisible()
  await picker.getByRole('searchbox').press('Tab')
  await expect(picker.getByRole('button', { name: 'grinning face', exact: true })).toBeFocused()
  await anas.keyboard.press('ArrowRight')
  await anas.keyboard.press('ArrowDown')
  await anas.keyboard.press('ArrowLeft')
  const focused = picker.locator('button:focus')
  await expect(focused).toHaveText('🤣')
  await focused.press('Enter')
  await expect(bens.getByRole('button', { name: '🤣, 1 reaction' })).toBeVisible()
})

test('what a message is asked for stays open when new messages scroll it out of view', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], { firstMessage: 'We closed the deal' })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const message = thread(page).getByText('We closed the deal')
  await message.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'More emojis' }).click()
  const picker = page.getByRole('dialog', { name: 'Choose an emoji' })
  await expect(picker.getByRole('button', { name: 'grinning face', exact: true })).toBeVisible()

  const more = Array.from({ length: 60 }, (_, index) => ({
    chat_id: id,
    sender_id: ben.id,
    message: `And the next one, number ${index}`,
  }))
  await ben.client.from('chat_messages').insert(more).throwOnError()
  await expect(message).toHaveCount(0)
  await picker.getByRole('button', { name: 'grinning face', exact: true }).click()
  await expect(picker).toBeHidden()
  const reactions = () => ben.client.from('chat_reactions').select('emoji, user_id')
  await expect
    .poll(async () => (await reactions()).data)
    .toEqual([{ emoji: '😀', user_id: ana.id }])
})
