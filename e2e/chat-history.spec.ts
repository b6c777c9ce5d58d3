import { expect, type Page, type Request } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, openThread, say, thread, write } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { asksOneByOne } from './support/one-by-one.ts'
import { PROMISED, within } from './support/promised-times.ts'
import { pageOf } from './support/sign-in.ts'

const BATCH = 1000
/** What asks for messages above those on the screen. */
const OLDER = /chat_messages.*sent_at=lte/
const NARROWEST = { width: 320, height: 640 }
const WITHOUT_KEYBOARD = { width: 390, height: 844 }
const WITH_KEYBOARD = { width: 390, height: 500 }

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
  const page = await pageOf(browser, ana, '/chat')
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
    // An answer means that the new messages were read.
    await expect(page.getByTitle('Go to the first new message')).toBeVisible()
    await write(page, 'I have read it all')
    await expect(page.getByTitle('Go to the first new message')).toHaveCount(0)
    await page.getByRole('link', { name: 'Back to chats' }).click()
    const card = page.getByRole('link', { name: /I have read it all/ })
    await expect(card).not.toContainText('unread')
  })
}

test('the latest message is one press away before all that is unread has been loaded', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await aHistory(ana, id, 60)
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await expect(thread(page).getByText('Entry 60.')).toBeInViewport()
  await page.getByRole('link', { name: 'Back to chats' }).click()
  await aHistory(ben, id, 120, 61)
  await page.getByRole('link', { name: /Entry 120/ }).click()
  await page.getByRole('button', { name: 'Jump to latest message' }).click()
  await expect(thread(page).getByText('Entry 120.')).toBeInViewport()
  await stillFor(page, 60)
  await expect(thread(page).getByText('Entry 120.')).toBeInViewport()
})

test('a thread of long messages opens at its first unread one', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await page.setViewportSize(NARROWEST)
  await ana.client.from('chat_messages').insert(longMessages(ana, id, 60, 'Read'))
  await openThread(page, id)
  await expect(thread(page).getByText('Read 60.')).toBeInViewport()
  await page.goto('/home')
  await ben.client.from('chat_messages').insert(longMessages(ben, id, 60, 'Unread'))
  await openThread(page, id)
  await expect(thread(page).getByText('New messages')).toBeInViewport()
  await stillFor(page, 30)
  await expect(thread(page).getByText('New messages')).toBeInViewport()
  await expect(thread(page).getByText('Unread 1.')).toBeInViewport()
})

test('the way to the latest message goes when a larger window shows it already', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await aHistory(ana, id, 14)
  const page = await pageOf(browser, ana)
  await page.setViewportSize({ width: 640, height: 400 })
  await openThread(page, id)
  await expect(thread(page).getByText('Entry 14.')).toBeInViewport()
  await stillFor(page, 20)
  await thread(page).evaluate((element) => (element.scrollTop = 0))
  const toLatest = page.getByRole('button', { name: 'Jump to latest message' })
  await expect(toLatest).toBeVisible()
  await page.setViewportSize({ width: 640, height: 1600 })
  await expect(thread(page).getByText('Entry 14.')).toBeInViewport()
  await expect(toLatest).toHaveCount(0)
})

test('what is sent from the unread line ends at the very bottom, and stays there with the keyboard', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  const page = await pageOf(browser, ana)
  await page.setViewportSize(WITHOUT_KEYBOARD)
  // Of many heights: what was never on the screen is only estimated.
  for (let n = 1; n <= 21; n++) await say(ben, id, `Entry ${n}. ${'A word more. '.repeat(n % 7)}`)
  await openThread(page, id)
  await expect(thread(page).getByText('New messages')).toBeInViewport()
  const belowTheEdge = () =>
    thread(page).evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop)
  expect(await belowTheEdge()).toBeGreaterThan(800)

  await page.setViewportSize(WITH_KEYBOARD)
  await write(page, 'Here I am')
  await expect(thread(page).getByText('Here I am')).toBeInViewport()
  await expect.poll(belowTheEdge).toBeLessThan(2)
  for (const size of [WITHOUT_KEYBOARD, WITH_KEYBOARD, WITHOUT_KEYBOARD]) {
    await page.setViewportSize(size)
    await stillFor(page, 10)
    expect(await belowTheEdge(), `at a height of ${size.height}`).toBeLessThan(2)
  }
})

test('older pages load upwards and the scroll position is kept', async ({ browser }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await aHistory(ana, id, 200)
  const page = await pageOf(browser, ana)
  await asksOneByOne(page)
  let letOlderCome = () => {}
  const mayCome = new Promise<void>((resolve) => (letOlderCome = resolve))
  await page.route(OLDER, async (route) => {
    await mayCome
    await route.continue()
  })
  await openThread(page, id)
  await expect(thread(page).getByText('Entry 200.')).toBeInViewport()
  // While the thread places itself at its end, it would undo the scrolling.
  await stillFor(page, 20)

  await thread(page).evaluate((log) => (log.scrollTop = 700))
  // Not before the rows of this place are drawn, above the middle too.
  let text = ''
  await expect(async () => {
    text = await thread(page).evaluate((log) => {
      const middle = log.getBoundingClientRect().top + 300
      const messages = [...log.querySelectorAll('article')]
      const below = messages.findIndex((each) => each.getBoundingClientRect().top > middle)
      return below > 0 ? (messages[below]?.innerText ?? '') : ''
    })
    expect(text).not.toBe('')
  }).toPass()
  const inSight = thread(page).getByText(/Entry \d+\./.exec(text)?.[0] ?? 'nothing', {
    exact: true,
  })
  const before = await inSight.evaluate((element) => element.getBoundingClientRect().top)
  const height = () => thread(page).evaluate((log) => log.scrollHeight)
  const heightBefore = await height()
  await thread(page).evaluate((log) => (log.scrollTop -= 200))
  letOlderCome()
  await expect.poll(height).toBeGreaterThan(heightBefore + 1000)
  const after = await inSight.evaluate((element) => element.getBoundingClientRect().top)
  expect(Math.abs(after - before - 200)).toBeLessThan(4)

  for (let n = 0; n < 20; n++) await thread(page).evaluate((log) => (log.scrollTop = 0))
  await expect(async () => {
    await thread(page).evaluate((log) => (log.scrollTop = 0))
    await expect(thread(page).getByText('Welcome')).toBeInViewport({ timeout: 500 })
  }).toPass()
})

test('older messages that could not be loaded come at the press of a button, or once the device is online', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await aHistory(ana, id, 400)
  const page = await pageOf(browser, ana)
  await asksOneByOne(page)
  await openThread(page, id)
  await expect(thread(page).getByText('Entry 400.')).toBeInViewport()
  const again = thread(page).getByRole('button', { name: 'Try again' })
  const toTheTop = () => thread(page).evaluate((log) => (log.scrollTop = 0))

  await page.route(OLDER, (route) => route.fulfill({ status: 500, json: { message: 'No' } }))
  await expect(async () => {
    await toTheTop()
    await expect(again).toBeVisible({ timeout: 500 })
  }).toPass()
  await expectAccessible(page)
  await page.unroute(OLDER)
  await again.dblclick()
  await expect(
    thread(page)
      .getByText(/Entry 3[34]\d\./)
      .first(),
  ).toBeAttached()

  await page.context().setOffline(true)
  await expect(async () => {
    await toTheTop()
    await expect(again).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.context().setOffline(false)
  await expect(again).toBeHidden()
})

test('a thread of 10,000 messages opens at once and stays small', PROMISED, async ({ browser }) => {
  test.slow()
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  // Together they stay within what a member may write in a minute.
  await aHistory(ana, id, 5000)
  await aHistory(ben, id, 10_000, 5001)
  await ana.client.rpc('mark_chat_read', { chat_id: id })
  const page = await pageOf(browser, ana, '/chat')
  const card = page.getByRole('link', { name: /Entry 10000/ })
  await expect(card).toBeVisible()
  const sizes: Promise<{ responseBodySize: number }>[] = []
  const count = (request: Request) => {
    if (/\/(rest|batch)\/v1/.test(request.url())) sizes.push(request.sizes())
  }
  page.on('requestfinished', count)
  await card.click()
  await expect(thread(page).getByText('Entry 10000.')).toBeInViewport(within(1000))
  await page.waitForLoadState('networkidle')
  page.off('requestfinished', count)
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each.responseBodySize, 0)

  const oldestShown = () =>
    thread(page).evaluate((log) => {
      log.scrollTop = 0
      return Number(/Entry (\d+)\./.exec(log.textContent)?.[1])
    })
  await expect.poll(oldestShown, { intervals: [50], timeout: 180_000 }).toBeLessThan(9000)
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

test('read far up and back down again, a thread leaves out no message, nor what was sent meanwhile', async ({
  browser,
}) => {
  test.slow()
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ana, [ben])
  await aHistory(ana, id, 800)
  const page = await pageOf(browser, ana)
  await openThread(page, id)
  await expect(thread(page).getByText('Entry 800.')).toBeInViewport()

  const up = await readUntil(page, 100, -250)
  expect(up).toEqual(Array.from(up, (_, n) => 800 - up.length + 1 + n))
  await say(ben, id, 'Entry 801.')
  const down = await readUntil(page, 801, 250)
  expect(down).toEqual(Array.from(down, (_, n) => 801 - down.length + 1 + n))
  expect(down[0]).toBeLessThanOrEqual(100)
})

/** Scrolls in steps until the entry is in view. Returns the numbers of all entries that were. */
async function readUntil(page: Page, entry: number, step: number): Promise<number[]> {
  const read = new Set<number>()
  const readOn = async () => {
    const inView = await thread(page).evaluate((log, by) => {
      const { top, bottom } = log.getBoundingClientRect()
      const shown = [...log.querySelectorAll('article')].filter((each) => {
        const place = each.getBoundingClientRect()
        return place.bottom > top && place.top < bottom
      })
      log.scrollTop += by
      return shown.map((each) => Number(/Entry (\d+)\./.exec(each.textContent)?.[1]))
    }, step)
    for (const number of inView) read.add(number)
    return read.has(entry)
  }
  await expect.poll(readOn, { intervals: [30], timeout: 60_000 }).toBe(true)
  return [...read].sort((one, other) => one - other)
}

/** Much higher than what the list expects of a message it has not drawn yet. */
function longMessages(author: Member, chatId: string, count: number, word: string) {
  return Array.from({ length: count }, (_, n) => ({
    chat_id: chatId,
    sender_id: author.id,
    message: `${word} ${n + 1}. ${'A word more. '.repeat(12)}`,
  }))
}

/** Waits until the thread's place and height have been the same for some frames. */
async function stillFor(page: Page, frames: number): Promise<void> {
  await thread(page).evaluate(
    (log, wanted) =>
      new Promise<void>((done) => {
        let [before, same] = ['', 0]
        const look = () => {
          const now = `${log.scrollTop} ${log.scrollHeight} ${log.clientHeight}`
          same = now === before ? same + 1 : 0
          before = now
          if (same === wanted) done()
          else requestAnimationFrame(look)
        }
        look()
      }),
    frames,
  )
}
