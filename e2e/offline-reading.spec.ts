import { expect } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { alertsOf } from './support/chats.ts'
import { aTitle } from './support/content.ts'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { publish } from './support/notices.ts'
import { signIn } from './support/sign-in.ts'

test.use({ serviceWorkers: 'allow' })

test('what was read on the first visit is there after an offline reload, with its age', async ({
  page,
  context,
}) => {
  const alerts = alertsOf(page)
  await signIn(page, await aMember())
  await page.evaluate(() => navigator.serviceWorker.ready)
  const places = ['/schedule', '/newrepstart', '/training?category=Investments']
  for (const path of places) {
    await page.goto(path)
    await expect(page.getByRole('article').first()).toBeVisible()
  }
  const read = await page.getByRole('article').allInnerTexts()

  await context.setOffline(true)
  const copyFrom = page.getByText(/^You're offline. Last updated .+\.$/)
  await page.reload()
  await expect(copyFrom).toBeVisible()
  expect(await page.getByRole('article').allInnerTexts()).toEqual(read)
  await expectAccessible(page)

  // Hours later the token has expired too, and offline it cannot be refreshed.
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('member-session') ?? '') as object
    const old = { ...session, expires_at: Math.floor(Date.now() / 1000) - 3600 }
    localStorage.setItem('member-session', JSON.stringify(old))
  })
  for (const path of [...places, '/home']) {
    await page.goto(path)
    await expect(copyFrom).toBeVisible()
  }

  await page.goto('/training?category=Leadership%20training')
  await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
  const text = "You haven't opened this on this device yet. Connect to the internet to see it."
  await expect(page.getByText(text)).toBeVisible()
  expect(alerts).toEqual([`Error loading content: ${text}`])
  await expectAccessible(page)

  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: "You're offline" })).toHaveCount(0)
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('a tick and a logged activity made offline survive a reload and are stored once there is a connection', async ({
  page,
  context,
}) => {
  const member = await aMember()
  const goal = { position: 'representative', metric: 'appointments', value: 20, period: 'month' }
  await member.client.rpc('save_goal', { ...goal, own_ratios: {} })
  await signIn(page, member)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect(page.getByRole('button', { name: 'Log activity' })).toBeVisible()
  await page.getByRole('button', { name: 'Log activity' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.goto('/newrepstart')
  const box = page.getByRole('checkbox').first()
  await expect(box).toBeEnabled()

  await context.setOffline(true)
  // check() wants it checked within the click's own task.
  await box.click()
  await expect(box).toBeChecked()
  await page.reload()
  await expect(page.getByRole('checkbox').first()).toBeChecked()
  await page.goto('/home')
  await page.getByRole('button', { name: 'Log activity' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Appointments/ })
    .click()
  await expect(
    page.getByRole('dialog').getByRole('button', { name: /Appointments, 1 logged/ }),
  ).toBeVisible()
  await page.reload()

  await context.setOffline(false)
  const stored = async (table: string) => (await member.client.from(table).select('*')).data?.length
  await expect.poll(() => stored('onboarding_progress'), { timeout: 30_000 }).toBe(1)
  await expect.poll(() => stored('goal_activity'), { timeout: 30_000 }).toBe(1)
})

test('what is acknowledged offline shows so after a reload, and reaches the author once there is a connection', async ({
  page,
  context,
}) => {
  const [admin, ana] = await Promise.all([aMember({ role: 'admin' }), aMember()])
  const title = aTitle('New rooms')
  await publish(admin, title, ana)
  await signIn(page, ana)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.goto('/notifications')
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: title })).toBeVisible()

  const bell = page.getByRole('link', { name: /Notifications$/ })
  await expect(bell).toHaveAccessibleName('1 unread Notifications')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(bell).toHaveAccessibleName('Notifications')
  await expect(page.getByText('Acknowledged')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Acknowledged')).toBeVisible()
  await page.goto('/notifications')
  await expect(page.getByText('Acknowledged. It is sent once there is')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0)

  await context.setOffline(false)
  await expect(page.getByText('Acknowledged', { exact: true })).toBeVisible()
  const stored = async () =>
    (await ana.client.from('notice_receipts').select('acknowledged_at').single()).data
  await expect.poll(stored, { timeout: 30_000 }).not.toEqual({ acknowledged_at: null })
})

test('offline, a screen never opened before says so in plain words, and loads once there is a connection', async ({
  page,
  context,
}) => {
  await signIn(page, await aMember())
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Change name' })).toBeVisible()
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText(/^You're offline. Last updated .+\.$/)).toBeVisible()
  await page.goto('/notifications')
  await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
  await expect(page.getByText("You haven't opened this on this device yet.")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(page.getByText('Connect to the internet to see this.')).toBeVisible()
  await page.getByRole('tab', { name: 'Inbox' }).click()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: "You're offline" })).toHaveCount(0)
})
