import { expect, type Page } from '@playwright/test'
import { expectAccessible, expectReadableColours } from './accessibility.ts'
import { expectNoShift, expectSoundLayout } from './layout-facts.ts'
import { expectPicture } from './picture.ts'
import { expectReadable } from './reading-order.ts'
import type { Look } from './screens.ts'

const PHONE = { width: 412, height: 915 }
const DESKTOP = { width: 1280, height: 800 }
/** The narrowest phone, and a desk's display at 200 % zoom (WCAG 1.4.4 and 1.4.10). */
const NARROW = { width: 320, height: 640 }
const ZOOMED = { width: 640, height: 400 }

/** One screen on a phone, narrow, zoomed and on a desk, in both themes. */
export async function lookAt(page: Page, look: Look): Promise<void> {
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
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
    // A phone and a desk put the same document in other places.
    if (size === PHONE || size === DESKTOP) await expectReadable(page, look.name)
  }
  if (!look.closesWhenWide) await inBothThemes(page, look, 'desktop')
}

/** One state of a screen on a phone, down to the narrowest, in both themes. */
export async function lookOnAPhone(page: Page, name: string, path: string) {
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(path)
  await settled(page)
  await expectReadableColours(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectPicture(page, name)
  await expectAccessible(page)
  for (const size of [PHONE, NARROW]) {
    await page.setViewportSize(size)
    await expectSoundLayout(page, name)
  }
}

async function inBothThemes(page: Page, { name, varies }: Look, size: string) {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectPicture(page, `${name}-${size}-dark`, varies)
  // All that axe can see of a theme.
  await expectReadableColours(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectPicture(page, `${name}-${size}-light`, varies)
}

/** The screen's own content is there: its heading, and nothing is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('h1:visible, h2:visible').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.locator('.animate-pulse')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}
