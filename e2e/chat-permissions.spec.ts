import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, composer, openThread, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient } from './support/members.ts'
import { PROMISED, within } from './support/promised-times.ts'
import { pageOf } from './support/sign-in.ts'

const NO_SENDING = 'You do not have permission to send messages in this chat.'

test(
  'when an admin turns sending off, the composer disappears within two seconds',
  PROMISED,
  async ({ browser }) => {
    const [admin, ana, ben] = await Promise.all([
      aMember({ role: 'admin' }),
      aMember({ firstName: 'Ana' }),
      aMember(),
    ])
    const { id } = await aChat(ana, [ben])
    const page = await pageOf(browser, ana)
    await openThread(page, id)
    await expect(composer(page)).toBeVisible()
    await page.waitForLoadState('networkidle')

    const toggle = (can: boolean) =>
      admin.client.from('users').update({ can_send_messages: can }).eq('id', ana.id)
    await toggle(false)
    await expect(page.getByText(NO_SENDING)).toBeVisible(within(2000))
    await expect(composer(page)).toHaveCount(0)
    await expectAccessible(page)
    await page.getByTitle('Chat details').click()
    await expect(page.getByRole('dialog').getByText('Creator')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Rename group' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Close' }).click()
    const refused = await ana.client
      .from('chat_messages')
      .insert({ chat_id: id, sender_id: ana.id, message: 'Past the screen' })
    expect(refused.error?.code).toBe('42501')

    await toggle(true)
    await expect(composer(page)).toBeVisible(within(2000))
  },
)

test('a member who is not in a chat finds nothing at its address', async ({ browser }) => {
  const [ana, ben, outsider] = await Promise.all([aMember(), aMember(), aMember()])
  const { id } = await aChat(ana, [ben], { firstMessage: 'Just us' })
  const page = await pageOf(browser, outsider)
  for (const address of [id, '00000000-0000-4000-8000-000000000000', 'nonsense']) {
    await page.goto(`/chat/${address}`)
    await expect(page.getByText('Chat not found')).toBeVisible()
    await expect(page.getByText('Just us')).toHaveCount(0)
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to Chats' }).click()
  await expect(page).toHaveURL(/\/chat$/)
})

test('a member removed from a group loses its open thread', PROMISED, async ({ browser }) => {
  const [ana, ben, cleo] = await Promise.all([aMember(), aMember(), aMember()])
  const { id } = await aChat(ana, [ben, cleo])
  const page = await pageOf(browser, ben)
  await openThread(page, id)
  await expect(thread(page).getByText('Welcome')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const removed = await ana.client
    .from('chat_participants')
    .update({ is_active: false })
    .eq('chat_id', id)
    .eq('user_id', ben.id)
  expect(removed.error).toBeNull()
  await expect(page.getByText('Chat not found')).toBeVisible(within(2000))
})

test(
  'the team chat is hidden from a member it is turned off for',
  PROMISED,
  async ({ browser }) => {
    const member = await aMember()
    const page = await pageOf(browser, member, '/chat')
    await expect(page.getByRole('link', { name: /Rally Chat/ })).toBeVisible()
    await page.waitForLoadState('networkidle')
    const service = await serviceClient()
    await service.from('users').update({ rally_enabled: false }).eq('id', member.id)
    await expect(page.getByRole('link', { name: /Rally Chat/ })).toHaveCount(0, within(2000))
  },
)
