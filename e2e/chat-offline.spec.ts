import { expect, test } from '@playwright/test'
import { aChat, openThread, say, thread, write } from './support/chats.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

const WRITTEN = ['First offline', 'Second offline', 'Third offline']

test('written offline, app closed, opened again online: delivered once and in order', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await expect(thread(page).getByText('Welcome')).toBeVisible()

  const context = page.context()
  await context.setOffline(true)
  for (const text of WRITTEN) await write(page, text)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await expect(thread(page).getByText('Waiting for connection…')).toHaveCount(3)
  await page.close()

  await context.setOffline(false)
  const again = await context.newPage()
  await openThread(again, id)
  for (const text of WRITTEN) await expect(thread(again).getByText(text)).toHaveCount(1)
  await expect(thread(again).getByText(/Sending|Waiting/)).toHaveCount(0)
  const { data } = await ben.client
    .from('chat_messages')
    .select('message')
    .eq('chat_id', id)
    .order('sent_at')
  expect(data?.map(({ message }) => message as string)).toEqual(['Welcome', ...WRITTEN])
})

test('what was said while the connection was away is there when it is back', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await expect(thread(page).getByText('Welcome')).toBeVisible()
  await page.context().setOffline(true)
  const missed = Array.from({ length: 60 }, (_, n) => `Missed ${n + 1}.`)
  for (const text of missed) await say(ben, id, text)
  await page.context().setOffline(false)
  await expect(thread(page).getByText('Missed 60.')).toBeVisible()
  await expect(thread(page).getByText('Missed 59.')).toHaveCount(1)
})

test('two tabs of one member send each message once', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const left = await pageOf(browser, ana)
  const right = await left.context().newPage()
  await openThread(left, id)
  await openThread(right, id)
  await left.context().setOffline(true)
  await write(left, 'From the left')
  await write(right, 'From the right')
  await expect(thread(left).getByText('From the right')).toBeVisible()
  await left.context().setOffline(false)
  for (const page of [left, right]) {
    await expect(thread(page).getByText(/Sending|Waiting/)).toHaveCount(0)
    await expect(thread(page).getByText('From the left')).toHaveCount(1)
    await expect(thread(page).getByText('From the right')).toHaveCount(1)
  }
  const { data } = await ben.client.from('chat_messages').select('message').eq('chat_id', id)
  expect(data).toHaveLength(3)
})

test('a draft is kept per chat', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember(), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Half a thought')
  await page.goto('/chat')
  await openThread(page, id)
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(
    'Half a thought',
  )
})
