import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient, type Member } from './support/members.ts'
import {
  aPushService,
  clickNotification,
  shownNotifications,
  stubSubscribing,
  workerInCharge,
} from './support/push.ts'
import { serverUrl } from './support/server.ts'
import { signIn } from './support/sign-in.ts'

test.use({ serviceWorkers: 'allow' })

test.use({ permissions: ['notifications'] })

test('push is shown once per chat, and a click opens the thread', async ({ page }) => {
  const [ana, ben] = await Promise.all([aMember({ firstName: 'Ana' }), aMember()])
  const { id } = await aChat(ben, [ana], { firstMessage: 'Are you in?' })
  await signIn(page, ana)
  await workerInCharge(page)
  // The app has taken over the device's data.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const pushService = await aPushService(page, serverUrl())
  const push = { title: 'Ben', tag: `chat:${id}`, badge: 1, data: { chat_id: id } }
  await pushService.deliver({ ...push, body: 'Are you' })
  await pushService.deliver({ ...push, body: 'Are you in?' })
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([{ title: 'Ben', body: 'Are you in?', tag: `chat:${id}` }])

  await clickNotification(page)
  await expect(page).toHaveURL(new RegExp(`/chat/${id}$`))
  await expect(thread(page).getByText('Are you in?')).toBeVisible()
  await expect.poll(() => shownNotifications(page)).toEqual([])
})

test('a click on a notice opens its page of the app', async ({ page }) => {
  await signIn(page, await aMember())
  await workerInCharge(page)
  const pushService = await aPushService(page, serverUrl())
  const data = { notice_id: 'n1', link: '/schedule' }
  await pushService.deliver({ title: 'New times', body: 'Look', tag: 'notice:n1', data })
  await expect.poll(async () => (await shownNotifications(page)).length).toBe(1)
  await clickNotification(page)
  await expect(page).toHaveURL(/\/schedule$/)
})

test('a member turns push on for this device, signing out silences it, signing in again restores it', async ({
  page,
}) => {
  const ana = await aMember({ firstName: 'Ana' })
  await stubSubscribing(page)
  await signIn(page, ana, '/notifications?tab=settings')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Push notifications are on.')).toBeVisible()
  expect(await devicesOf(ana)).toEqual(['web'])
  await expectAccessible(page)

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
  expect(await devicesOf(ana)).toEqual([])

  await signIn(page, ana)
  await expect.poll(() => devicesOf(ana)).toEqual(['web'])
})

async function devicesOf(member: Member) {
  const service = await serviceClient()
  const { data } = await service.from('push_devices').select('platform').eq('user_id', member.id)
  return data?.map(({ platform }) => platform as string)
}
