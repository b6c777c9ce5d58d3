import { expect, type Page } from '@playwright/test'
import { aChat, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

// On a slow connection every request costs a round trip, and every one that waits for another costs one more.

test('Home, the chat list and a thread ask the server rarely, and a thread reads its messages once and what was missed once', async ({
  page,
}) => {
  const { ana, chatId } = await aTeamOfTwo()
  await signIn(page, ana)
  await expect(page.getByText('Your vice presidents')).toBeVisible()
  const home = await askedBy(page, '/home', () => page.getByText('Your vice presidents'))
  expect(home.requests, home.list).toBeLessThanOrEqual(4)
  const chats = await askedBy(page, '/chat', () => page.getByRole('link', { name: /Are you in/ }))
  expect(chats.requests, chats.list).toBeLessThanOrEqual(4)
  const read = await askedBy(page, `/chat/${chatId}`, () => thread(page).getByText('Are you in?'))
  expect(read.requests, read.list).toBeLessThanOrEqual(4)
  expect(read.parts.filter((path) => path.includes('/chat_messages?')).length, read.list).toBe(2)
  expect(read.parts.filter((path) => path.includes('/rpc/chat_changes')).length, read.list).toBe(1)
})

test('the admin dashboard asks the server rarely', async ({ page }) => {
  await signIn(page, await aMember({ role: 'admin' }))
  await expect(page.getByText('Your vice presidents')).toBeVisible()
  const admin = await askedBy(page, '/admin', () =>
    page.getByLabel('Admins need two-step verification'),
  )
  expect(admin.requests, admin.list).toBeLessThanOrEqual(4)
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

/** What a screen that is opened anew asks until it is quiet: requests, and the questions in them. */
async function askedBy(page: Page, path: string, content: () => ReturnType<Page['getByText']>) {
  const batches: string[][] = []
  const note = (request: { url(): string; postData(): string | null }) => {
    const { pathname, search } = new URL(request.url())
    if (!/^\/(rest|batch|auth|functions)\/v1\//.test(`${pathname}/`)) return
    const parts = pathname.startsWith('/batch/')
      ? (JSON.parse(request.postData() ?? '[]') as { path: string }[]).map((part) => part.path)
      : [pathname + search]
    batches.push(parts)
  }
  // What the page before still asks is not this one's.
  await page.goto('about:blank')
  page.on('request', note)
  const joined = joinedUser(page)
  await page.goto(path)
  await expect(content().first()).toBeVisible()
  await joined
  await page.waitForLoadState('networkidle')
  page.off('request', note)
  const own = batches.filter((parts, place) => !isReadAgain(parts, batches.slice(0, place).flat()))
  const list = batches.map((parts) => parts.map((each) => each.split('&')[0]).join(', ')).join('\n')
  return { requests: own.length, parts: batches.flat(), list }
}

/** What all journeys share is read again when another one has just changed it. */
function isReadAgain(parts: string[], before: string[]): boolean {
  return parts.every((path) => before.includes(path) && SHARED.test(path))
}

const SHARED =
  /_content|team_settings|vice_pres|\/users\?|setting_changes|acts_as_admin|setup_checklist|admin_dashboard|get_user_count/

/** Resolves once the live topic of the member was joined and what it brought about has been asked. */
async function joinedUser(page: Page): Promise<void> {
  await page.waitForResponse((response) =>
    `${response.url()} ${response.request().postData()}`.includes('changed_tables'),
  )
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
