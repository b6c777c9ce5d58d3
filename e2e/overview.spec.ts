import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { MAYA } from './support/demo-team.ts'
import { test } from './support/journey.ts'
import { signIn } from './support/sign-in.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
/** UPDATE_SCREENS=1 writes the picture into the docs, for the README. */
const folder = join(root, process.env.UPDATE_SCREENS ? '../docs' : 'results')

test("the README's picture shows the demo team's own screens", async ({ page }) => {
  mkdirSync(folder, { recursive: true })
  await signIn(page, MAYA)
  const shots = [
    await shot(page, '/home', /Maya/),
    await shot(page, '/chat', 'Chat'),
    await shot(page, '/calculator?position=representative', 'Calculator'),
    await shot(page, '/schedule', 'Schedule'),
  ]
  await page.setViewportSize({ width: 1280, height: 640 })
  await page.setContent(
    `<body style="margin:0;padding:32px;display:flex;gap:24px;background:#cfd6e0">
      ${shots.map((png) => `<img style="width:286px;border-radius:28px" src="data:image/png;base64,${png}">`).join('')}
    </body>`,
  )
  await page.screenshot({ path: join(folder, 'overview.png'), fullPage: true })
})

async function shot(page: Page, path: string, heading: string | RegExp): Promise<string> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await page.waitForLoadState('networkidle')
  return (await page.screenshot({ animations: 'disabled' })).toString('base64')
}
