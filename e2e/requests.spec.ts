import { expect, type Locator, type Page, type Request } from '@playwright/test'
import { aChat, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { queryDatabase } from './support/server.ts'
import { signIn } from './support/sign-in.ts'

// On a slow connection every file and request costs a round trip, and every one that waits for another costs one more.

// One server is enough.
test.describe.configure({ mode: 'default' })
// What it would keep is loaded from the server each time, as on a first visit.
test.use({ serviceWorkers: 'block' })

test('a first visit to the login loads at most 4 scripts, of 110 kB', async ({ page }) => {
  // What is loaded ahead for the screens behind it waits for this clock.
  await page.clock.install()
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  const scripts = await scriptsBefore(page, Infinity)
  expect(scripts.length, namesOf(scripts)).toBeLessThanOrEqual(4)
  expect(kilobytes(scripts), namesOf(scripts)).toBeLessThanOrEqual(110)
})

test('Home and the chat list load at most 8 scripts, of 185 and 235 kB, and ask the server twice', async ({
  page,
}) => {
  const { ana } = await aTeamOfTwo()
  await signIn(page, ana)
  await expect(page.getByText('Your vice presidents')).toBeVisible()
  await forgetChanges()
  await forgetFiles(page)
  const home = await askedBy(page, '/home', page.getByText('Your vice presidents'))
  expect(home.requests, home.list).toBeLessThanOrEqual(2)
  expect(home.scripts.length, namesOf(home.scripts)).toBeLessThanOrEqual(8)
  expect(kilobytes(home.scripts), namesOf(home.scripts)).toBeLessThanOrEqual(185)
  await forgetFiles(page)
  const chats = await askedBy(page, '/chat', page.getByRole('link', { name: /Are you in/ }))
  expect(chats.requests, chats.list).toBeLessThanOrEqual(2)
  expect(chats.scripts.length, namesOf(chats.scripts)).toBeLessThanOrEqual(8)
  expect(kilobytes(chats.scripts), namesOf(chats.scripts)).toBeLessThanOrEqual(235)
})

test('a screen that was opened before asks the server while its code is loading, and only once', async ({
  page,
}) => {
  const { ana, chatId } = await aTeamOfTwo()
  await signIn(page, ana, `/chat/${chatId}`)
  const said = thread(page).getByText('Are you in?')
  await expect(said).toBeVisible()
  await page.goto('about:blank')
  const asked = page.waitForRequest('**/batch/v1')
  await page.route(/\/assets\/start-[^/]*\.js$/, async (route) => {
    await asked
    await route.continue()
  })
  const read = await askedBy(page, `/chat/${chatId}`, said, 'chat_changes')
  expect(read.parts.filter((path) => path.includes('/chat_messages?')).length, read.list).toBe(2)
})

test('a thread asks the server rarely, and reads its messages once and what was missed once', async ({
  page,
}) => {
  const { ana, chatId } = await aTeamOfTwo()
  await signIn(page, ana)
  await expect(page.getByText('Your vice presidents')).toBeVisible()
  const question = thread(page).getByText('Are you in?')
  const read = await askedBy(page, `/chat/${chatId}`, question, 'chat_changes')
  expect(read.requests, read.list).toBeLessThanOrEqual(4)
  expect(read.parts.filter((path) => path.includes('/chat_messages?')).length, read.list).toBe(2)
  expect(read.parts.filter((path) => path.includes('/rpc/chat_changes')).length, read.list).toBe(1)
})

test('an admin page asks for everything with its first request', async ({ page }) => {
  await signIn(page, await aMember({ role: 'admin' }))
  await expect(page.getByText('Your vice presidents')).toBeVisible()
  await forgetChanges()
  const entry = page.getByRole('link', { name: /^Team settings/ })
  const admin = await askedBy(page, '/admin', entry)
  expect(admin.requests, admin.list).toBeLessThanOrEqual(2)
  const settings = await askedBy(page, '/admin/settings', page.getByLabel('Who can join'))
  expect(settings.requests, settings.list).toBeLessThanOrEqual(2)
})

test('what a screen asked for first is remembered, whichever screen it is', async ({ page }) => {
  await signIn(page, await aMember({ role: 'admin' }))
  for (const path of SCREENS) {
    await page.goto(path)
    await expect.poll(() => rememberedFor(page), path).toContain(path)
  }
})

const SCREENS = [
  '/home',
  '/newrepstart',
  '/training',
  '/schedule',
  '/licensing',
  '/calculator',
  '/people',
  '/notifications',
  '/chat',
  '/chat/create',
  '/profile',
  '/profile/reports',
  '/profile/blocked',
  '/admin',
  '/admin/invite',
  '/admin/invitations',
  '/admin/members',
  '/admin/audit',
  '/admin/records',
  '/admin/settings',
  '/admin/system',
  '/admin/links',
  '/admin-manage',
]

/** The addresses whose first request is remembered on the device. */
const rememberedFor = (page: Page) =>
  page.evaluate(() =>
    Object.keys(JSON.parse(localStorage.getItem('early-batches') ?? '{}') as object),
  )

async function aTeamOfTwo(): Promise<{ ana: Member; ben: Member; chatId: string }> {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
  ])
  const { id } = await aChat(ana, [ben])
  await say(ben, id, 'Are you in?')
  return { ana, ben, chatId: id }
}

/**
 * The requests a freshly opened screen makes until the network is idle, and the queries in them. `last` is part of the
 * query it sends once its live topics have joined.
 */
async function askedBy(page: Page, path: string, content: Locator, last = 'changed_tables') {
  const batches: string[][] = []
  const note = (request: Request) => {
    const parts = queriesIn(request)
    if (parts.length) batches.push(parts)
  }
  // Requests of the previous page do not count.
  await page.goto('about:blank')
  page.on('request', note)
  const lastResponse = page.waitForResponse((response) =>
    queriesIn(response.request()).some((query) => query.includes(last)),
  )
  await page.goto(path)
  await expect(content.first()).toBeVisible()
  await lastResponse
  await page.waitForLoadState('networkidle')
  page.off('request', note)
  const list = batches.map((parts) => parts.map((each) => each.split('&')[0]).join(', ')).join('\n')
  const scripts = await scriptsBefore(page, await firstResponse(page))
  return { requests: batches.length, parts: batches.flat(), list, scripts }
}

type Script = { name: string; bytes: number }

/** The scripts that the page had asked for by then, in milliseconds since it was opened; what comes later nobody waits for. */
function scriptsBefore(page: Page, moment: number): Promise<Script[]> {
  return page.evaluate((before) => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return entries
      .filter(({ name, startTime }) => /\/assets\/.*\.js$/.test(name) && startTime < before)
      .map(({ name, transferSize }) => ({ name, bytes: transferSize }))
  }, moment)
}

/** When the first query got its response, in milliseconds since the page was opened. */
function firstResponse(page: Page): Promise<number> {
  return page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return entries.find(({ name }) => /\/(rest|batch)\/v1/.test(name))!.responseEnd
  })
}

const namesOf = (scripts: Script[]) =>
  scripts.map(({ name, bytes }) => `${name.replace(/.*\//, '')} ${bytes}`).join('\n')

function kilobytes(scripts: Script[]): number {
  // One that was kept would cost nothing.
  for (const { name, bytes } of scripts) expect(bytes, name).toBeGreaterThan(0)
  return scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
}

/** What changed in the last minute, such as who is on the team, would be read once more. */
const forgetChanges = () => queryDatabase('delete from realtime.messages', [])

/** Empties the browser's cache. A page that is still open could load screens ahead into it. */
async function forgetFiles(page: Page) {
  await page.goto('about:blank')
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.clearBrowserCache')
  await browser.detach()
}

/** The queries in a request: several if it is a batch, none if it is not to the API. */
function queriesIn(request: Request): string[] {
  const { pathname, search } = new URL(request.url())
  if (!/^\/(rest|batch|auth|functions)\/v1\//.test(`${pathname}/`)) return []
  if (!pathname.startsWith('/batch/')) return [pathname + search]
  return (JSON.parse(request.postData() ?? '[]') as { path: string }[]).map(({ path }) => path)
}

test('what is said after a screen was read and before its live updates have joined is not missed', async ({
  page,
}) => {
  const { ana, ben, chatId } = await aTeamOfTwo()
  let join = () => {}
  const joining = new Promise<void>((resolve) => (join = resolve))
  await page.routeWebSocket(/\/realtime\/v1\//, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => void joining.then(() => server.send(message)))
  })
  await signIn(page, ana, `/chat/${chatId}`)
  await expect(thread(page).getByText('Are you in?')).toBeVisible()
  await page.waitForLoadState('networkidle')
  await aChat(ben, [ana, await aMember()], { firstMessage: 'A group for Friday' })
  await say(ben, chatId, 'Said in between')
  await expect(thread(page).getByText('Said in between')).toHaveCount(0)
  join()
  await expect(thread(page).getByText('Said in between')).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByRole('link', { name: /A group for Friday/ })).toBeVisible()
})
