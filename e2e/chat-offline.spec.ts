import { expect, type Page, type WebSocketRoute } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, say, thread, write } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { pageOf } from './support/sign-in.ts'

test.use({ serviceWorkers: 'allow' })

// The smallest image possible: one pixel.
const aPicture = {
  name: 'deck.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}
const WRITTEN = ['First offline', 'Second offline', 'Third offline']

test('written offline, app closed, reopened online: delivered once and in order', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await expect(thread(page).getByText('Welcome')).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)

  const context = page.context()
  await context.setOffline(true)
  for (const text of WRITTEN) await write(page, text)
  await expect(page.getByText("You're offline. Messages will send")).toBeVisible()
  await expect(thread(page).getByText('Waiting for connection…')).toHaveCount(3)
  await page.getByLabel('Photos', { exact: true }).setInputFiles(aPicture)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(thread(page).getByRole('img', { name: 'Image sent by You' })).toBeVisible()
  await page.close()

  const again = await context.newPage()
  await again.goto('/chat')
  await again.getByRole('link', { name: /Casey Tester/ }).click()
  await expect(thread(again).getByText('Welcome')).toBeVisible()
  await expect(again.getByText(/^Last updated .+ You're offline/)).toBeVisible()
  await expect(thread(again).getByText('Waiting for connection…')).toHaveCount(4)
  await expectAccessible(again)

  await context.setOffline(false)
  for (const text of WRITTEN) await expect(thread(again).getByText(text)).toHaveCount(1)
  await expect(thread(again).getByText(/Sending|Waiting/)).toHaveCount(0)
  await expect(again.getByText('Last updated')).toHaveCount(0)
  const { data } = await ben.client
    .from('chat_messages')
    .select('message')
    .eq('chat_id', id)
    .order('sent_at')
  expect(data?.map(({ message }) => message as string)).toEqual(['Welcome', ...WRITTEN, ''])
})

test('everything said while disconnected is there after reconnecting, however much', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  const connection = await breakable(page)
  await openThread(page, id)
  await expect(thread(page).getByText('Welcome')).toBeVisible()
  await connection.cut()
  const missed = Array.from({ length: 450 }, (_, n) => `Missed ${n + 1}.`)
  const rows = missed.map((message) => ({ chat_id: id, sender_id: ben.id, message }))
  const stored = await ben.client.from('chat_messages').insert(rows)
  expect(stored.error).toBeNull()
  await connection.restore()

  // More than a page was missed: the thread begins where reading stopped, and the rest loads on scrolling
  // down.
  const seen = new Set<string>()
  await expect(
    thread(page)
      .getByText(/^Missed/)
      .first(),
  ).toBeVisible()
  await expect(async () => {
    for (const text of await readAndScroll(page)) seen.add(text)
    expect(missed.filter((text) => !seen.has(text))).toEqual([])
  }).toPass({ intervals: [50] })
  await thread(page).evaluate((log) => (log.scrollTop = log.scrollHeight))
  await say(ben, id, 'And one more')
  await expect(thread(page).getByText('And one more')).toBeVisible()
})

test('while the server is down the app says so, not that the phone is offline, and goes on once it is back', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  expect((await ben.client.rpc('mark_chat_read', { chat_id: id })).error).toBeNull()
  const page = await pageOf(browser, ana)
  await page.evaluate(() => navigator.serviceWorker.ready)
  const server = await stoppable(page)
  await openThread(page, id)
  await expect(thread(page).getByRole('button', { name: 'Seen' })).toBeVisible()
  await server.stop()
  await expect(page.getByText("The server isn't answering. Messages will send")).toBeVisible()
  await write(page, 'Said to nobody yet')
  await expect(thread(page).getByText('Waiting for connection…')).toBeVisible()
  await expect(thread(page).getByRole('button', { name: 'Seen' })).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByText(/^Last updated .+ The server isn't answering/)).toBeVisible()
  await page.getByRole('link', { name: 'Back to chats' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('link', { name: 'Licensing' }).click()
  const title = page.getByRole('heading', { name: "The server isn't answering" })
  await expect(title).toBeVisible()
  const strip = page.locator('#main + [role=status]')
  await expect(strip).toHaveText("The server isn't answering")
  await expect(page.getByText("You're offline")).toHaveCount(0)

  server.start()
  await expect(title).toHaveCount(0)
  await openThread(page, id)
  await expect(thread(page).getByText('Said to nobody yet')).toBeVisible()
  await expect(thread(page).getByText(/Sending|Waiting/)).toHaveCount(0)
  await expect(page.getByText("The server isn't answering")).toHaveCount(0)
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

test('a draft is on the other device too, also one that was typed offline, until it is sent', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id, name } = await aChat(ana, [ben, await aMember()])
  const [desk, phone] = [await pageOf(browser, ana), await pageOf(browser, ana, '/chat')]
  await openThread(desk, id)
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
  const card = phone.getByRole('link', { name })
  await field(desk).fill('Half a thought')
  await expect(card).toContainText('Draft: Half a thought')
  await expectAccessible(phone)
  await card.click()
  await expect(field(phone)).toHaveValue('Half a thought')

  await phone.context().setOffline(true)
  await field(phone).fill('A whole thought')
  await phone.context().setOffline(false)
  await phone.getByRole('link', { name: 'Back to chats' }).click()
  await expect(card).toContainText('Draft: A whole thought')
  await desk.goto('/chat')
  await expect(desk.getByRole('link', { name })).toContainText('Draft: A whole thought')
  await openThread(desk, id)
  await write(desk, 'The whole thought')
  await expect(card).toContainText('You: The whole thought')
})

/** The rendered texts; then scrolls on, and from the end back to the start. */
function readAndScroll(page: Page): Promise<string[]> {
  return thread(page).evaluate((log) => {
    const texts = [...log.querySelectorAll('article p')].map((each) => each.textContent ?? '')
    const isAtEnd = log.scrollTop + log.clientHeight > log.scrollHeight - 2
    log.scrollTop = isAtEnd ? 0 : log.scrollTop + 500
    return texts
  })
}

/** A server that accepts nothing, while the phone has a connection. */
async function stoppable(page: Page) {
  const sockets = await closable(page)
  await page.route(/\/(rest|batch|auth|storage)\/v1/, (route) =>
    sockets.areClosed() ? route.abort() : route.continue(),
  )
  return { stop: sockets.close, start: sockets.open }
}

/** Playwright's offline mode keeps open sockets alive; a lost network does not. */
async function breakable(page: Page) {
  const sockets = await closable(page)
  return {
    async cut() {
      await page.context().setOffline(true)
      await sockets.close()
    },
    async restore() {
      sockets.open()
      await page.context().setOffline(false)
    },
  }
}

/** Live connections that can be closed, and kept from opening. */
async function closable(page: Page) {
  const connected = new Set<WebSocketRoute>()
  let areClosed = false
  await page.routeWebSocket(/realtime/, (socket) => {
    if (areClosed) return void socket.close()
    connected.add(socket)
    socket.connectToServer()
  })
  return {
    areClosed: () => areClosed,
    async close() {
      areClosed = true
      for (const socket of connected) await socket.close()
    },
    open: () => void (areClosed = false),
  }
}
