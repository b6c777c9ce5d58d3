import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import { motionOver } from './accessibility.ts'
import { differingShare } from './picture-difference.ts'

const folder = fileURLToPath(new URL('../../docs/screens', import.meta.url))
const isRenewing = Boolean(process.env.UPDATE_SCREENS)

/** How much of a picture may differ: the hour, the weekday and the way a Chromium draws letters do (decision 005). */
const MAY_DIFFER = 0.02

/**
 * The screen looks as in docs/screens/NAME.webp; with UPDATE_SCREENS it becomes that picture. WebP, because two hundred PNGs
 * would weigh more than the code.
 */
export async function expectPicture(page: Page, name: string): Promise<void> {
  const file = join(folder, `${name}.webp`)
  await motionOver(page)
  const now = await capture(page)
  if (isRenewing) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, now)
    return
  }
  expect.soft(existsSync(file), `docs/screens has no ${name}.webp`).toBe(true)
  if (!existsSync(file)) return
  const share = await page.evaluate(differingShare, {
    kept: readFileSync(file, 'base64'),
    now: now.toString('base64'),
  })
  if (share > MAY_DIFFER) writeFileSync(test.info().outputPath(`${name}.webp`), now)
  expect.soft(share, `the share of ${name} that looks different`).toBeLessThanOrEqual(MAY_DIFFER)
}

async function capture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  // Without a clip an emulated phone is sometimes drawn shorter than it is.
  const clip = { x: 0, y: 0, scale: 1, ...(page.viewportSize() ?? { width: 0, height: 0 }) }
  const options = { format: 'webp', quality: 62, clip } as const
  const { data } = await session.send('Page.captureScreenshot', options)
  await session.detach()
  return Buffer.from(data, 'base64')
}
