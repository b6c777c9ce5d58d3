import axe, { type RunOptions } from 'axe-core'
import { expect, type Page } from '@playwright/test'

const WCAG_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Fails with the rules and elements that keep somebody out of the screen as it stands now. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, { runOnly: { type: 'tag', values: WCAG_AA } })
}

/** The part of `expectAccessible` that another theme can break. */
export async function expectReadableColours(page: Page): Promise<void> {
  await expectNoViolations(page, { runOnly: { type: 'rule', values: COLOURS } })
}

async function expectNoViolations(page: Page, options: RunOptions) {
  await motionOver(page)
  // Run in the page itself. Its adapter for Playwright would open another page for each check to put the frames'
  // results together, of which the app has none, and that takes longer than checking.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ ...options, resultTypes: ['violations'] })
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ html }) => html),
    }))
  }, options)
  expect(found).toEqual([])
}

// A colour in the middle of a transition has a contrast that nobody ever reads. A transition begins with the frame
// after the change that caused it, hence the two frames.
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
