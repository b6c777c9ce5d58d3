import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { aChat, say, thread } from './support/chats.ts'
import { test } from './support/journey.ts'
import { aMember, serviceClient, type Member } from './support/members.ts'
import { linkFor } from './support/mailbox.ts'
import { expectCalled, insideIosApp, raise } from './support/native-shell.ts'
import { fillLogin, signIn } from './support/sign-in.ts'

const TAP = 'PushNotifications.pushNotificationActionPerformed'
const tapOn = (data: object) => ({ actionId: 'tap', notification: { id: '1', data } })
/** A token in Apple's format. */
const aToken = () =>
  Array.from({ length: 64 }, () => Math.floor(Math.random() * 16).toString(16)).join('')

test('signing in on a phone registers it, its page turns push off and on, and signing out unregisters it', async ({
  page,
}) => {
  const ana = await aMember({ firstName: 'Ana' })
  const token = aToken()
  await insideIosApp(page, { token })
  await signIn(page, ana)
  await expect.poll(() => devicesOf(ana)).toEqual([{ platform: 'ios', channel: 'apns', token }])

  await page.goto('/notifications?tab=settings')
  await expect(page.getByText('Push notifications are on.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Push notifications are off.')).toBeVisible()
  expect(await devicesOf(ana)).toEqual([])
  await page.reload()
  await expect(page.getByText('Push notifications are off.')).toBeVisible()
  expect(await devicesOf(ana)).toEqual([])
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Push notifications are on.')).toBeVisible()
  await expect.poll(() => devicesOf(ana)).toMatchObject([{ token }])

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
  await expectCalled(page, 'Badge.clear')
  expect(await devicesOf(ana)).toEqual([])
})

test('a tap opens the thread, also when it starts the app; a tapped notice counts as opened', async ({
  page,
  context,
}) => {
  const [ana, ben, admin] = await Promise.all([
    aMember({ firstName: 'Ana' }),
    aMember({ firstName: 'Ben' }),
    aMember({ role: 'admin' }),
  ])
  const { id } = await aChat(ben, [ana])
  await say(ben, id, 'Are you in?')
  await insideIosApp(page, { token: aToken() })
  await signIn(page, ana)
  await raise(page, TAP, tapOn({ chat_id: id }))
  await expect(thread(page).getByText('Are you in?')).toBeVisible()
  await page.close()

  const coldPage = await context.newPage()
  await insideIosApp(coldPage, { token: aToken(), kept: { [TAP]: tapOn({ chat_id: id }) } })
  await coldPage.goto('/')
  await expect(coldPage).toHaveURL(new RegExp(`/chat/${id}$`))
  await expect(thread(coldPage).getByText('Are you in?')).toBeVisible()

  const notice = { id: crypto.randomUUID(), title: 'New rooms', audience: 'members' }
  const written = await admin.client
    .from('team_notices')
    .insert({ ...notice, audience_members: [ana.id] })
  expect(written.error).toBeNull()
  await raise(coldPage, TAP, tapOn({ notice_id: notice.id, link: '/notifications' }))
  await expect(coldPage.getByRole('heading', { name: 'New rooms' })).toBeVisible()
  const opened = async () => {
    const response = await admin.client.rpc('notice_results', { notice_id: notice.id })
    return (response.data as { opened: number }[])[0]?.opened
  }
  await expect.poll(opened).toBe(1)
  await expect(coldPage).toHaveURL(/\/notifications$/)
})

test('the mail of a reset requested on the phone leads to the site, and opened on the phone leads back in', async ({
  page,
}) => {
  const ana = await aMember()
  await insideIosApp(page, { token: aToken() })
  await page.addInitScript('globalThis.busyMinimumMs = 0')
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(ana.email)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  const link = await linkFor(ana.email)
  const { origin } = new URL(page.url())
  expect(new URL(link).searchParams.get('redirect_to')).toBe(`${origin}/new-password?from-app=1`)

  await raise(page, 'App.appUrlOpen', { url: link })
  await page.getByLabel('New Password', { exact: true }).fill('another-password')
  await page.getByLabel('Confirm New Password', { exact: true }).fill('another-password')
  await page.getByRole('button', { name: 'Save New Password' }).click()
  await expect(page.getByText('Password Updated!')).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await fillLogin(page, { email: ana.email, password: 'another-password' })
  await expect(page).toHaveURL(/\/home$/)
})

async function devicesOf(member: Member) {
  const service = await serviceClient()
  const { data } = await service
    .from('push_devices')
    .select('platform, channel, token')
    .eq('user_id', member.id)
  return data
}
