import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { motionOver } from './accessibility.ts'

const folder = fileURLToPath(new URL('../../docs/screens', import.meta.url))

/** Pictures are made for the docs alone, when somebody asks for new ones. */
export const isTakingPictures = Boolean(process.env.UPDATE_SCREENS)

/** What is on the screen as docs/screens/NAME.webp; WebP, because a hundred PNGs would weigh more than the code. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!isTakingPictures) return
  await motionOver(page)
  mkdirSync(folder, { recursive: true })
  const session = await page.context().newCDPSession(page)
  // Without a clip an emulated phone is sometimes drawn shorter than it is.
  const clip = { x: 0, y: 0, scale: 1, ...(page.viewportSize() ?? { width: 0, height: 0 }) }
  const options = { format: 'webp', quality: 62, clip } as const
  const { data } = await session.send('Page.captureScreenshot', options)
  await session.detach()
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
}
