import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { startPushService, type PushService } from 'supabase-project/tests/push-providers.ts'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, type Member } from './support/members.ts'
import {
  aPushService,
  clickNotification,
  clickWithoutWindow,
  shownNotifications,
  stubSubscribing,
  workerInCharge,
} from './support/push.ts'
import { pushServicePort, serverUrl } from './support/server.ts'
import { pageOf, signIn } from './support/sign-in.ts'

test.use({ serviceWorkers: 'allow' })

// The sender's contact address, set when the server starts.
test.describe.configure({ mode: 'default' })

let service: PushService
test.beforeAll(async () => {
  service = await startPushService({ port: pushServicePort() })
})
test.afterAll(() => service.close())

/** A member's own browser with push on: the server's pushes are decrypted and passed to its worker. */
async function aDevice(browser: Browser, member: Member) {
  const context = await browser.newContext({ permissions: ['notifications'] })
  const page = await context.newPage()
  const { endpoint, p256dh, auth } = service.subscribe()
  await stubSubscribing(page, { endpoint, p256dh, auth })
  await signIn(page, member)
  await workerInCharge(page)
  await page.goto('/notifications?tab=settings')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Push notifications are on.')).toBeVisible()
  const got = () => service.received.filter(({ to }) => endpoint.endsWith(to))
  return { context, page, got }
}

/** Delivers the last push to the browser, as its push service would. */
async function deliver(page: Page, got: () => { payload: unknown }[], count: number) {
  await expect.poll(() => got().length, { timeout: 15_000 }).toBe(count)
  await (await aPushService(page, serverUrl())).deliver(got().at(-1)?.payload)
}

test('both devices of a member are notified, a tap opens the thread, and signing out silences one', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
  ])
  const { id } = await aChat(ben, [ana])
  const [phone, tablet] = await Promise.all([aDevice(browser, ana), aDevice(browser, ana)])
  await say(ben, id, 'Are you in?')
  for (const { page, got } of [phone, tablet]) {
    await deliver(page, got, 1)
    await expect
      .poll(() => shownNotifications(page))
      .toEqual([{ title: `Ben ${ben.lastName}`, body: 'Are you in?', tag: id }])
  }
  await clickNotification(phone.page)
  await expect(thread(phone.page).getByText('Are you in?')).toBeVisible()

  await tablet.page.goto('/profile')
  await tablet.page.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect(tablet.page).toHaveURL(/\/$/)
  await phone.page.goto('/home')
  await say(ben, id, 'Still there?')
  const coldPage = await closedApp(phone.context, phone.page)
  await deliver(coldPage, phone.got, 2)
  expect(tablet.got()).toHaveLength(1)

  // Cold start: no window is open, so the tap opens one at the thread itself.
  const opened = await clickWithoutWindow(phone.context)
  expect(opened).toBe(`/chat/${id}`)
  await coldPage.goto(opened)
  await expect(thread(coldPage).getByText('Still there?')).toBeVisible()
  await expectAccessible(coldPage)
})

test('in quiet hours a message waits, a mention gets through, and the leaders can see it', async ({
  browser,
}) => {
  const [ana, ben, admin] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
    aMember({ firstName: 'Ada', role: 'admin' }),
  ])
  const { id } = await aChat(ben, [ana])
  const { got } = await aDevice(browser, ana)
  const { error } = await ana.client.from('notification_settings').insert(quietAroundNow())
  expect(error).toBeNull()
  await say(ben, id, 'Nice weather')
  const mention = { chat_id: id, sender_id: ben.id, message: 'Ana, the client', mentions: [ana.id] }
  await ben.client.from('chat_messages').insert(mention)
  await expect.poll(() => got().map(({ payload }) => payload.body)).toEqual(['Ana, the client'])

  const adminsPage = await pageOf(browser, admin, '/admin-manage?type=notifications')
  await expect(adminsPage.getByText(/[1-9]\d* during quiet hours/)).toBeVisible()
  await expectAccessible(adminsPage)
})

/** The app's last window closes; the browser stays open. */
async function closedApp(context: BrowserContext, page: Page): Promise<Page> {
  const blank = await context.newPage()
  await page.close()
  return blank
}

function quietAroundNow() {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  return { quiet_from: at(-2), quiet_to: at(2), time_zone: 'UTC' }
}
