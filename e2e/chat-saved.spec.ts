import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

const list = (page: Page) => page.getByRole('dialog', { name: 'Saved messages' })

test('a saved message is found on all devices, leads back far into its chat, and goes when it is deleted', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben, await aMember()], { name: 'Field crew' })
  const address = await say(ben, id, 'The address is 5 Elm Street')
  const rows = Array.from({ length: 80 }, (_, n) => ({
    chat_id: id,
    sender_id: ben.id,
    message: `Later ${n}`,
  }))
  await ben.client.from('chat_messages').insert(rows).throwOnError()
  await ana.client.rpc('mark_chat_read', { chat_id: id })
  await ana.client
    .from('saved_messages')
    .insert({ message_id: address, user_id: ana.id })
    .throwOnError()

  const [page, other] = [await pageOf(browser, ana), await pageOf(browser, ana, '/chat')]
  await other.getByRole('button', { name: 'Saved messages' }).click()
  await expect(list(other).getByRole('listitem')).toHaveCount(1)
  await openThread(page, id)
  await thread(page).getByText('Later 79').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved to “Saved messages”')).toBeVisible()
  await expect(list(other).getByRole('listitem')).toHaveCount(2)
  await expect(list(other).getByRole('listitem').first()).toContainText('Later 79')
  await expectAccessible(other)

  // Its menu knows, also when it was taken back elsewhere.
  await thread(page).getByText('Later 79').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Remove from saved' })).toBeVisible()
  await page.keyboard.press('Escape')
  const last = list(other).getByRole('listitem').filter({ hasText: 'Later 79' })
  await last.getByRole('button', { name: /^Remove .* from saved$/ }).press('Enter')
  await expect(last).toHaveCount(0)
  await thread(page).getByText('Later 79').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Save', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  await list(other)
    .getByRole('link', { name: /5 Elm Street/ })
    .press('Enter')
  await expect(thread(other).getByText('The address is 5 Elm Street')).toBeInViewport()
  await ben.client
    .from('chat_messages')
    .update({ is_deleted: true })
    .eq('id', address)
    .throwOnError()
  await page.goto('/chat')
  await page.getByRole('button', { name: 'Saved messages' }).click()
  await expect(list(page).getByText('Nothing saved yet')).toBeVisible()
  await expectAccessible(page)
})
