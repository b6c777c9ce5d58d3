import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Fails with the rules and elements that keep somebody out of the screen as it stands now. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, (axe) => axe.withTags(WCAG_AA))
}

/** The part of `expectAccessible` that another theme can break. */
export async function expectReadableColours(page: Page): Promise<void> {
  await expectNoViolations(page, (axe) => axe.withRules(['color-contrast', 'link-in-text-block']))
}

async function expectNoViolations(page: Page, narrow: (axe: AxeBuilder) => AxeBuilder) {
  await motionOver(page)
  const { violations } = await narrow(new AxeBuilder({ page })).analyze()
  expect(
    violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map((node) => node.html) })),
  ).toEqual([])
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
