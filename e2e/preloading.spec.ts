import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './support/journey.ts'
import { aMember } from './support/members.ts'
import { signIn } from './support/sign-in.ts'

test("a screen's code is loaded before its link is pressed", async ({ page }) => {
  const scripts = scriptsOf(page)
  await signIn(page, await aMember())
  const tab = (name: RegExp) => page.getByRole('navigation').getByRole('link', { name })

  // The likeliest screens are preloaded once Home has loaded.
  const arrived = (name: string) => scripts.some((each) => each.includes(name))
  await expect.poll(() => arrived('chat-screen') && arrived('schedule-screen')).toBe(true)
  await page.waitForLoadState('networkidle')
  await expectNothingNew(scripts, async () => {
    await tab(/Chat$/).click()
    await expect(page.getByRole('link', { name: /Rally Chat/ })).toBeVisible()
  })
  await tab(/^Home$/).click()

  // A pointer approaches.
  const banner = page.getByRole('link', { name: /New Rep Start/ })
  await expectPreloaded(scripts, () => banner.hover())
  await expectNothingNew(scripts, async () => {
    await banner.click()
    await expect(page.getByRole('heading', { level: 1, name: 'New Rep Start' })).toBeVisible()
  })

  // A finger comes down.
  const notices = tab(/^Notifications$/)
  await expectPreloaded(scripts, () => touch(page, notices))
  await expectNothingNew(scripts, async () => {
    await notices.tap()
    await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
  })
})

/** Grows with every script the page requests. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) scripts.push(request.url())
  })
  return scripts
}

async function expectPreloaded(scripts: string[], approach: () => Promise<void>) {
  const before = scripts.length
  await approach()
  await expect.poll(() => scripts.length).toBeGreaterThan(before)
}

async function expectNothingNew(scripts: string[], press: () => Promise<void>) {
  const before = scripts.length
  await press()
  expect(scripts.slice(before)).toEqual([])
}

/** A finger that is down and not yet lifted. */
async function touch(page: Page, place: Locator) {
  const { x, y, width, height } = (await place.boundingBox())!
  const session = await page.context().newCDPSession(page)
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await session.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] })
  await session.detach()
}
