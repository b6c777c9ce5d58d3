import { expect, test, type Request } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, thread } from './support/chats.ts'
import { aMember, type Member } from './support/members.ts'
import { PROMISED, within } from './support/promised-times.ts'
import { pageOf } from './support/sign-in.ts'

const BATCH = 1000

/** Sends "Entry {first}." to "Entry {last}." at once; the server sets the times. */
async function aHistory(author: Member, chatId: string, last: number, first = 1): Promise<void> {
  for (let start = first; start <= last; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, last - start + 1) }, (_, n) => ({
      chat_id: chatId,
      sender_id: author.id,
      message: `Entry ${start + n}.`,
    }))
    const { error } = await author.client.from('chat_messages').insert(rows)
    if (error) throw new Error(error.message)
  }
}

test('a found message opens its thread there, highlighted', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben], { firstMessage: 'The pineapple story' })
  await aHistory(ben, id, 300)
  const page = await pageOf(browser, ana)
  await page.goto('/chat')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('Messages', { exact: true }).click()
  await page.getByRole('searchbox').fill('pineapple')
  await expectAccessible(page)
  await page.getByRole('link', { name: /pineapple story/ }).click()
  const found = thread(page).getByText('The pineapple story')
  await expect(found).toBeInViewport()
  const bubble = thread(page)
    .locator('article > div > div')
    .filter({ hasText: 'The pineapple story' })
  await expect(bubble).toHaveClass(/ring-warning/)
  await expect(bubble).not.toHaveClass(/ring-warning/)
  await page.getByRole('button', { name: 'Jump to latest message' }).click()
  await expect(thread(page).getByText('Entry 300.')).toBeInViewport()
})

for (const unread of [60, 450]) {
  test(`a thread opens at the first of ${unread} unread messages`, async ({ browser }) => {
    const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
    const { id } = await aChat(ana, [ben])
    const page = await pageOf(browser, ana)
    // Read, and loaded by this device, before the others come.
    await openThread(page, id)
    await expect(thread(page).getByText('Welcome')).toBeInViewport()
    await page.getByRole('link', { name: 'Back to chats' }).click()
    await aHistory(ben, id, unread)
    await page.getByRole('link', { name: new RegExp(`Entry ${unread}`) }).click()
    await expect(thread(page).getByText('New messages')).toBeInViewport()
    await expect(thread(page).getByText('Entry 1.', { exact: true })).toBeInViewport()

    // What has not been loaded yet stays unread, and the end is one press away.
    if (unread > 100) {
      await page.goto('/chat')
      await expect(page.getByRole('link', { name: /Entry 450/ })).toContainText('99+')
      await page.getByRole('link', { name: /Entry 450/ }).click()
      await expect(thread(page).getByText('New messages')).toBeInViewport()
    }
    await page.getByRole('button', { name: 'Jump to latest message' }).click()
    await expect(thread(page).getByText(`Entry ${unread}.`)).toBeInViewport()
    // And so is the way back to where reading stopped.
    await page.getByTitle('Go to the first new message').click()
    await expect(thread(page).getByText('New messages')).toBeInViewport()
    await page.getByRole('button', { name: 'Jump to latest message' }).click()
    await expect(thread(page).getByText(`Entry ${unread}.`)).toBeInViewport()
    await page.getByRole('link', { name: 'Back to chats' }).click()
    const card = page.getByRole('link', { name: new RegExp(`Entry ${unread}`) })
    await expect(card).not.toContainText('unread')
  })
}

test('older pages load upwards and the scroll position is kept', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await aHistory(ana, id, 200)
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await expect(thread(page).getByText('Entry 200.')).toBeInViewport()

  await thread(page).evaluate((log) => (log.scrollTop = 700))
  const text = await thread(page).evaluate((log) => {
    const middle = log.getBoundingClientRect().top + 300
    const messages = [...log.querySelectorAll('article')]
    return messages.find((each) => each.getBoundingClientRect().top > middle)?.innerText ?? ''
  })
  const inSight = thread(page).getByText(/Entry \d+\./.exec(text)?.[0] ?? 'nothing', {
    exact: true,
  })
  const before = await inSight.evaluate((element) => element.getBoundingClientRect().top)
  const height = () => thread(page).evaluate((log) => log.scrollHeight)
  const heightBefore = await height()
  await thread(page).evaluate((log) => (log.scrollTop -= 200))
  await expect.poll(height).toBeGreaterThan(heightBefore + 1000)
  const after = await inSight.evaluate((element) => element.getBoundingClientRect().top)
  expect(Math.abs(after - before - 200)).toBeLessThan(4)

  for (let n = 0; n < 20; n++) await thread(page).evaluate((log) => (log.scrollTop = 0))
  await expect(async () => {
    await thread(page).evaluate((log) => (log.scrollTop = 0))
    await expect(thread(page).getByText('Welcome')).toBeInViewport({ timeout: 500 })
  }).toPass()
})

test('a thread of 10,000 messages opens at once and stays small', PROMISED, async ({ browser }) => {
  test.slow()
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  // Together they stay within what a member may write in a minute.
  await aHistory(ana, id, 5000)
  await aHistory(ben, id, 10_000, 5001)
  await ana.client.rpc('mark_chat_read', { chat_id: id })
  const page = await pageOf(browser, ana)
  await page.goto('/chat')
  const card = page.getByRole('link', { name: /Entry 10000/ })
  await expect(card).toBeVisible()
  const answers: Promise<{ responseBodySize: number }>[] = []
  const count = (request: Request) => {
    if (request.url().includes('/rest/v1/')) answers.push(request.sizes())
  }
  page.on('requestfinished', count)
  await card.click()
  await expect(thread(page).getByText('Entry 10000.')).toBeInViewport(within(1000))
  await page.waitForLoadState('networkidle')
  page.off('requestfinished', count)
  const bytes = (await Promise.all(answers)).reduce((sum, each) => sum + each.responseBodySize, 0)

  const oldestShown = () =>
    thread(page).evaluate((log) => {
      log.scrollTop = 0
      return Number(/Entry (\d+)\./.exec(log.textContent)?.[1])
    })
  await expect.poll(oldestShown, { intervals: [50], timeout: 60_000 }).toBeLessThan(9000)
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  const session = await page.context().newCDPSession(page)
  const heap = (await session.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024
  console.log(
    `10,000 messages: opened with ${bytes} bytes, ${elements} elements, ${heap.toFixed(0)} MB`,
  )
  expect(bytes).toBeLessThan(100_000)
  expect(elements).toBeLessThan(1500)
  expect(heap).toBeLessThan(80)
})
