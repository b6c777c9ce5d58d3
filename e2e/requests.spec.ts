import { expect, type Locator, type Page, type Request } from '@playwright/test'
import { aChat, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

// On a slow connection every request costs a round trip, and every one that waits for another costs one more.

// One server is enough.
test.describe.configure({ mode: 'default' })

test('Home, the chat list and a thread ask the server rarely, and a thread reads its messages once and what was missed once', async ({
  page,
}) => {
  const { ana, chatId } = await aTeamOfTwo()
  await signIn(page, ana)
  await expect(page.getByText('Your vice presidents')).toBeVisible()
  const home = await askedBy(page, '/home', page.getByText('Your vice presidents'))
  expect(home.requests, home.list).toBeLessThanOrEqual(4)
  const chats = await askedBy(page, '/chat', page.getByRole('link', { name: /Are you in/ }))
  expect(chats.requests, chats.list).toBeLessThanOrEqual(4)
  const question = thread(page).getByText('Are you in?')
  const read = await askedBy(page, `/chat/${chatId}`, question, 'chat_changes')
  expect(read.requests, read.list).toBeLessThanOrEqual(4)
  expect(read.parts.filter((path) => path.includes('/chat_messages?')).length, read.list).toBe(2)
  expect(read.parts.filter((path) => path.includes('/rpc/chat_changes')).length, read.list).toBe(1)
})

test('the admin dashboard and the team’s settings ask the server rarely', async ({ page }) => {
  await signIn(page, await aMember({ role: 'admin' }))
  await expect(page.getByText('Your vice presidents')).toBeVisible()
  const admin = await askedBy(page, '/admin', page.getByRole('link', { name: /^Team settings/ }))
  expect(admin.requests, admin.list).toBeLessThanOrEqual(4)
  const settings = await askedBy(page, '/admin/settings', page.getByLabel('Who can join'))
  expect(settings.requests, settings.list).toBeLessThanOrEqual(4)
})

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
  const answered = page.waitForResponse((response) =>
    queriesIn(response.request()).some((query) => query.includes(last)),
  )
  await page.goto(path)
  await expect(content.first()).toBeVisible()
  await answered
  await page.waitForLoadState('networkidle')
  page.off('request', note)
  const list = batches.map((parts) => parts.map((each) => each.split('&')[0]).join(', ')).join('\n')
  return { requests: batches.length, parts: batches.flat(), list }
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
