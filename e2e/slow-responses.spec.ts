import { expect, type Locator, type Page, type Request } from '@playwright/test'
import { aChat, say, thread, write } from './support/chats.ts'
import { aTitle } from './support/content.ts'
import { keysOnDevice } from './support/device-storage.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { publish } from './support/notices.ts'
import { signIn } from './support/sign-in.ts'

test.use({ serviceWorkers: 'allow' })

/** Requests may be sent together in the body of one. */
const asksFor = (request: Request, text: string) =>
  `${request.url()} ${request.postData()}`.includes(text)

/** Holds back the responses of the database to requests with this text. @returns what lets them through */
async function holdResponses(page: Page, text = ''): Promise<() => void> {
  let respond = () => {}
  const mayRespond = new Promise<void>((resolve) => (respond = resolve))
  await page.route(/\/(rest|batch)\/v1/, async (route) => {
    if (asksFor(route.request(), text)) await mayRespond
    // The page may have been left meanwhile.
    await route.continue().catch(() => {})
  })
  return respond
}

test('while responses are awaited, chats and notifications that were read before show at once, then what is new', async ({
  page,
}) => {
  const [admin, ana, ben] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
  ])
  const { id } = await aChat(ana, [ben], { firstMessage: 'Are you in?' })
  await say(ben, id, 'I am')
  const title = aTitle('Kick-off')
  await publish(admin, title, ana, false)
  await signIn(page, ana)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.goto('/notifications')
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await page.goto(`/chat/${id}`)
  await expect(thread(page).getByText('I am')).toBeVisible()
  await expect.poll(() => keptThreads(page)).toBe(1)
  await page.goto('/chat')
  await expect(page.getByRole('link', { name: /I am/ })).toBeVisible()
  await page.goto('/home')

  await say(ben, id, 'And I bring Cal')
  const respond = await holdResponses(page)
  await page.goto('/notifications')
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await page.goto('/chat')
  await expect(page.getByRole('link', { name: /Ben/ })).toBeVisible()
  await page.goto(`/chat/${id}`)
  await expect(thread(page).getByText('I am')).toBeVisible()
  respond()
  await expect(thread(page).getByText('And I bring Cal')).toBeVisible()
  // The copy did not know of it, yet it is below the line.
  await expect(thread(page).getByText('New messages')).toBeVisible()
})

test('a chat that opens slowly has its name, the way back and a place to write at once', async ({
  page,
}) => {
  const [ana, ben] = await Promise.all([aMember(), aMember({ firstName: 'Ben', lastName: 'Ito' })])
  const { id } = await aChat(ben, [ana])
  await signIn(page, ana, '/chat')
  await expect(page.getByRole('link', { name: /Ben Ito/ })).toBeVisible()
  const respond = await holdResponses(page)
  await page.getByRole('link', { name: /Ben Ito/ }).click()
  await expect(page).toHaveURL(new RegExp(`/chat/${id}$`))
  await expect(page.getByRole('heading', { name: 'Ben Ito' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to chats' })).toBeVisible()
  await write(page, 'On my way')
  respond()
  await expect(thread(page).getByText('Welcome')).toBeVisible()
  await expect(thread(page).getByText('On my way')).toHaveCount(1)
  await expect(thread(page).getByText(/Sending|Waiting/)).toHaveCount(0)
})

test('a slow profile moves no button of its page when it comes', async ({ page }) => {
  const respond = await holdResponses(page, '/users?select=*')
  await signIn(page, await aMember(), '/profile')
  // As high as the team's supervisors need, which other journeys change meanwhile.
  const supervised = page.locator('dl > div', { hasText: 'Supervised by' })
  const places = () =>
    supervised.evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      const buttons = [...document.querySelectorAll('main button')]
      return [top, ...buttons.map((each) => each.getBoundingClientRect().top - bottom)].map(
        Math.round,
      )
    })
  await expect(page.getByRole('button', { name: 'House rules' })).toBeVisible()
  await expect(page.getByText('Member', { exact: true })).toHaveCount(0)
  const before = await places()
  expect(before.length).toBeGreaterThan(10)
  respond()
  await expect(page.getByText('Member', { exact: true })).toBeVisible()
  expect(await places()).toEqual(before)
})

test('a sheet whose content comes slowly keeps its close button under the finger', async ({
  page,
}) => {
  const [admin] = await Promise.all([
    aMember({ role: 'admin' }),
    aMember({ firstName: 'Henrietta', lastName: 'Held' }),
  ])
  await signIn(page, admin, '/admin/members')
  await page.getByRole('searchbox', { name: 'Search name or email' }).fill('henrietta')
  const row = page.getByRole('button', { name: /Henrietta Held/ })
  await expect(row).toBeVisible()
  const respond = await holdResponses(page, 'member_details')
  await row.click()
  const sheet = page.getByRole('dialog')
  const close = sheet.getByRole('button', { name: 'Close' })
  await expect(sheet.getByText('Loading')).toBeAttached()
  const before = await restingBox(close)
  respond()
  await expect(sheet.getByRole('button', { name: 'Suspend' })).toBeAttached()
  const after = await restingBox(close)
  expect(Math.abs(after.y - before.y)).toBeLessThan(before.height / 2)
})

for (const [list, screen, what] of [
  ['Members', '/admin/members', 'list_members'],
  ['People', '/people', 'list_people'],
] as const) {
  test(`while more is typed in the search of ${list}, who is shown stays and can be pressed`, async ({
    page,
  }) => {
    const [admin] = await Promise.all([
      aMember({ role: 'admin' }),
      aMember({ firstName: 'Perpetua', lastName: list }),
    ])
    await signIn(page, admin, screen)
    const search = page.getByRole('main').getByRole('searchbox')
    await search.fill(list)
    const row = page.getByRole('main').getByRole('button', { name: `Perpetua ${list}` })
    await expect(row).toBeVisible()
    const respond = await holdResponses(page, what)
    const asked = page.waitForRequest((request) => asksFor(request, what))
    await search.fill(`perpetua ${list}`)
    await asked
    await row.click()
    await expect(page.getByRole('dialog').getByText(`Perpetua ${list}`)).toBeVisible()
    respond()
  })
}

/** Where an element is once it no longer moves. */
async function restingBox(element: Locator) {
  // A hover waits for that.
  await element.hover()
  const box = await element.boundingBox()
  if (!box) throw new Error('not drawn')
  return box
}

test('signing out leaves nothing on the device of what was read', async ({ page }) => {
  const [ana, ben] = await Promise.all([aMember(), aMember()])
  const { id } = await aChat(ana, [ben])
  await signIn(page, ana, `/chat/${id}`)
  await expect(thread(page).getByText('Welcome')).toBeVisible()
  await expect.poll(() => keptThreads(page)).toBe(1)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(() => kept(page)).toEqual([])
})

const keptThreads = async (page: Page) =>
  (await kept(page)).filter((name) => name.startsWith('["chat_messages"')).length

/** The query keys of the copies on the device. */
const kept = (page: Page) => keysOnDevice(page, 'query-copies', 'queries')
