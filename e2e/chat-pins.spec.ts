import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, say, thread, write } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Pinned messages' })

async function choose(page: Page, text: string, item: string) {
  await thread(page).getByText(text).last().click({ button: 'right' })
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('a pinned message stands at the top for everybody, leads back to it, and goes when it is deleted', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben, await aMember()], { firstMessage: 'Friday at nine' })
  const rows = Array.from({ length: 80 }, (_, n) => ({
    chat_id: id,
    sender_id: ben.id,
    message: `Later ${n}`,
  }))
  await ben.client.from('chat_messages').insert(rows).throwOnError()
  await ana.client.rpc('mark_chat_read', { chat_id: id })
  await ben.client.rpc('mark_chat_read', { chat_id: id })
  const [anas, bens] = [await pageOf(browser, ana), await pageOf(browser, ben)]
  await openThread(anas, id)
  await openThread(bens, id)
  await choose(anas, 'Later 79', 'Pin')
  await expect(bar(bens).getByText('Later 79')).toBeVisible()
  await expect(bar(bens).getByText('Pinned by Ana Tester')).toBeVisible()
  await bens.reload()
  await expect(bar(bens).getByText('Later 79')).toBeVisible()
  await expectAccessible(bens)

  // Only who may pin is offered it.
  await thread(bens).getByText('Later 78').click({ button: 'right' })
  await expect(bens.getByRole('menuitem', { name: 'Reply' })).toBeVisible()
  await expect(bens.getByRole('menuitem', { name: 'Pin' })).toHaveCount(0)
  await bens.keyboard.press('Escape')

  const first = await say(ana, id, 'The address is 5 Elm Street')
  await expect(thread(bens).getByText('The address is 5 Elm Street')).toBeVisible()
  await ana.client
    .from('chat_pins')
    .insert({ message_id: first, created_by: ana.id })
    .throwOnError()
  await expect(bar(bens).getByText('Pinned message 1 of 2')).toBeVisible()
  await bens.getByRole('button', { name: 'Pinned messages' }).click()
  const list = bens.getByRole('dialog', { name: 'Pinned messages' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list.getByRole('button', { name: /Unpin/ })).toHaveCount(0)
  await expectAccessible(bens)
  await bens.keyboard.press('Escape')

  await choose(anas, 'The address is 5 Elm Street', 'Edit')
  await write(anas, 'The address is 7 Elm Street')
  await expect(bar(bens).getByText('The address is 7 Elm Street')).toBeVisible()
  await ana.client.from('chat_messages').update({ is_deleted: true }).eq('id', first).throwOnError()
  await expect(bar(bens).getByText('Later 79')).toBeVisible()
  await anas.getByRole('button', { name: 'Pinned messages' }).click()
  const unpin = anas.getByRole('button', { name: /^Unpin/ })
  await expect(unpin).toHaveCount(1)
  await unpin.click()
  await expect(anas.getByText('Nothing is pinned anymore.')).toBeVisible()
  await expect(bar(bens)).toHaveCount(0)
})

test('by keyboard: a message far back is pinned in a chat of two, and the bar leads to it', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], { firstMessage: 'My number is 555 0100' })
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  const options = thread(page).getByRole('button', { name: 'Message options' })
  await options.press('Enter')
  await page.getByRole('menuitem', { name: 'Pin', exact: true }).press('Enter')
  await expect(bar(page).getByText('Pinned by you')).toBeVisible()
  const rows = Array.from({ length: 120 }, (_, n) => ({
    chat_id: id,
    sender_id: ana.id,
    message: `Later ${n}`,
  }))
  await ana.client.from('chat_messages').insert(rows).throwOnError()
  await page.reload()
  await expect(thread(page).getByText('Later 119')).toBeVisible()
  await expect(thread(page).getByText('My number is 555 0100')).toHaveCount(0)
  await bar(page)
    .getByRole('button', { name: /My number/ })
    .press('Enter')
  await expect(thread(page).getByText('My number is 555 0100')).toBeInViewport()
})
