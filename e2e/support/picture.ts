import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import { differingShare, toWebp } from './picture-difference.ts'

const folder = fileURLToPath(new URL('../screens', import.meta.url))
const isRenewing = Boolean(process.env.UPDATE_SCREENS)

/**
 * The share of a screenshot that may differ: times, weekdays and Chromium's font rendering do (decision
 * 005).
 */
const MAY_DIFFER = 0.02

/**
 * Compares the screen with e2e/screens/NAME.webp; with UPDATE_SCREENS, writes that file. WebP, because two
 * hundred PNGs would be larger than the code. Ignores what `varies` selects.
 */
export async function expectPicture(page: Page, name: string, varies?: string): Promise<void> {
  const file = join(folder, `${name}.webp`)
  const shot = () => page.screenshot({ animations: 'disabled' })
  if (isRenewing) {
    const now = await shot()
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, Buffer.from(await page.evaluate(toWebp, now.toString('base64')), 'base64'))
    return
  }
  expect.soft(existsSync(file), `e2e/screens has no ${name}.webp`).toBe(true)
  if (!existsSync(file)) return
  const kept = readFileSync(file, 'base64')
  // The first one may have caught a color or a layout on its way.
  await expect
    .soft(async () => {
      const now = await shot()
      const share = await page.evaluate(differingShare, {
        kept,
        now: now.toString('base64'),
        varies,
      })
      if (share > MAY_DIFFER) writeFileSync(test.info().outputPath(`${name}.png`), now)
      expect(share, `the share of ${name} that looks different`).toBeLessThanOrEqual(MAY_DIFFER)
    })
    .toPass({ timeout: 5_000 })
}
