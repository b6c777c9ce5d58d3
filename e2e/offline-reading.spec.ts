import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { alertsOf } from './support/chats.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test.use({ serviceWorkers: 'allow' })

test('what was read on the first visit is there after a reload without a network, with its age', async ({
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
  const copyFrom = page.getByText(/^You are offline. This was read .+\.$/)
  await page.reload()
  await expect(copyFrom).toBeVisible()
  expect(await page.getByRole('article').allInnerTexts()).toEqual(read)
  await expectAccessible(page)

  // Hours later the token is old as well, and without a network nobody can renew it.
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
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  const text = 'This has not been read on this device yet. Connect to the internet to open it.'
  await expect(page.getByText(text)).toBeVisible()
  expect(alerts).toEqual([`Error loading content: ${text}`])
  await expectAccessible(page)

  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'You are offline' })).toHaveCount(0)
  await expect(page.getByRole('article').first()).toBeVisible()
})
