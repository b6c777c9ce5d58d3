import { expect, type Page } from '@playwright/test'
import { expectAccessible, expectReadableColors } from './accessibility.ts'
import { expectNoShift, expectSoundLayout } from './layout-facts.ts'
import { expectPicture } from './picture.ts'
import { expectReadable } from './reading-order.ts'
import type { Look } from './screens.ts'

const PHONE = { width: 412, height: 915 }
const DESKTOP = { width: 1280, height: 800 }
/** The narrowest phone, and a desktop display at 200 % zoom (WCAG 1.4.4 and 1.4.10). */
const NARROW = { width: 320, height: 640 }
const ZOOMED = { width: 640, height: 400 }

/** A screen on a phone, narrow, zoomed and on a desktop, in both themes. */
export async function lookAt(page: Page, look: Look): Promise<void> {
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await look.arrange?.(page)
  await page.goto(look.path)
  await settled(page)
  await expectNoShift(page, look.name)
  await look.open?.(page)
  await settled(page)
  await inBothThemes(page, look, 'phone')
  await expectAccessible(page)
  for (const size of [PHONE, NARROW, ZOOMED, DESKTOP]) {
    await page.setViewportSize(size)
    await expectSoundLayout(page, look.name)
    // A phone and a desktop lay out the same document differently.
    if (size === PHONE || size === DESKTOP) await expectReadable(page, look.name)
  }
  if (!look.closesWhenWide) await inBothThemes(page, look, 'desktop')
  await withLargeText(page, () => expectSoundLayout(page, `${look.name} with text of 200 %`))
}

/** A state of a screen on a phone, down to the narrowest, in both themes. */
export async function lookOnAPhone(page: Page, name: string, path: string) {
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(path)
  await settled(page)
  await expectReadableColors(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectPicture(page, name)
  await expectAccessible(page)
  for (const size of [PHONE, NARROW]) {
    await page.setViewportSize(size)
    await expectSoundLayout(page, name)
  }
}

/** Text at 200 % on a phone, as its settings make it (WCAG 1.4.4). */
async function withLargeText(page: Page, look: () => Promise<void>) {
  await page.setViewportSize(PHONE)
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
  await look()
  await page.evaluate(() => (document.documentElement.style.fontSize = ''))
}

async function inBothThemes(page: Page, { name, varies }: Look, size: string) {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectPicture(page, `${name}-${size}-dark`, varies)
  // Everything axe can check about a theme.
  await expectReadableColors(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectPicture(page, `${name}-${size}-light`, varies)
}

/** The screen's own content has loaded: its heading is there, and nothing is pending. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('h1:visible, h2:visible').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.locator('.animate-pulse')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}
