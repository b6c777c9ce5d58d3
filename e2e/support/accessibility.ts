import axe, { type RunOptions } from 'axe-core'
import { expect, type Page } from '@playwright/test'

const WCAG_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const COLORS = ['color-contrast', 'link-in-text-block']

/** Fails with the accessibility violations of the current screen. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, { runOnly: { type: 'tag', values: WCAG_AA } })
}

/** The part of `expectAccessible` that depends on the theme. */
export async function expectReadableColors(page: Page): Promise<void> {
  await expectNoViolations(page, { runOnly: { type: 'rule', values: COLORS } })
}

async function expectNoViolations(page: Page, options: RunOptions) {
  // A screen that is replaced while axe runs fades in meanwhile; what counts is what it settles on.
  // One run of axe over a long screen takes seconds on a busy machine.
  await expect.poll(() => violationsOf(page, options), { timeout: 20_000 }).toEqual([])
}

async function violationsOf(page: Page, options: RunOptions) {
  await motionOver(page)
  // Runs axe in the page itself. Its Playwright adapter opens another page per check to merge frames, of
  // which the app has none, and that takes longer than the check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ ...options, resultTypes: ['violations'] })
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ html }) => html),
    }))
  }, options)
}

// A color in mid-transition has a contrast nobody reads. A transition begins in the frame after its change,
// hence two frames.
export async function motionOver(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    const ending = document
      .getAnimations()
      .filter((each) => each.effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map((each) => each.finished))
  })
}
