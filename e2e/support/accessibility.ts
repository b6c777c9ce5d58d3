import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RunOptions } from 'axe-core'
import { expect, type Page } from '@playwright/test'

/** Half as much to send to a page and to read there as the package's main file. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const WCAG_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const COLORS = ['color-contrast', 'link-in-text-block']

/** One run of axe over a long screen takes seconds on a busy machine. */
const PATIENCE = { timeout: 20_000 }

/** Fails with the accessibility violations of the current screen. */
export async function expectAccessible(page: Page, patience = PATIENCE): Promise<void> {
  await expectNoViolations(page, { runOnly: { type: 'tag', values: WCAG_AA } }, patience)
}

/** The part of `expectAccessible` that depends on the theme. */
export async function expectReadableColors(page: Page, patience = PATIENCE): Promise<void> {
  await expectNoViolations(page, { runOnly: { type: 'rule', values: COLORS } }, patience)
}

async function expectNoViolations(page: Page, options: RunOptions, patience: typeof PATIENCE) {
  // A screen that is replaced while axe runs fades in meanwhile; what counts is what it settles on.
  await expect.poll(() => violationsOf(page, options), patience).toEqual([])
}

async function violationsOf(page: Page, options: RunOptions) {
  await motionOver(page)
  // Runs axe in the page itself. Its Playwright adapter opens another page per check to merge frames, of
  // which the app has none, and that takes longer than the check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
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
// hence two frames. Both waits end by themselves: a page that is not drawn has no frames, and an animation that something
// holds up never finishes.
export async function motionOver(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const within = (ms: number, work: Promise<unknown>) =>
      Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
    const frame = () => within(500, new Promise((resolve) => requestAnimationFrame(resolve)))
    await frame()
    await frame()
    const ending = document
      .getAnimations()
      .filter((each) => each.effect?.getTiming().iterations !== Infinity)
    await within(3_000, Promise.allSettled(ending.map((each) => each.finished)))
  })
}
