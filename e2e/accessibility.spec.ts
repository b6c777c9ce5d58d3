import { expect } from '@playwright/test'
import { expectAccessible, expectReadableColors } from './support/accessibility.ts'
import { test } from './support/journey.ts'

/** The page does not change any more: looking at it longer finds nothing else. */
const STILL = { timeout: 5_000 }

test('accessibility violations are found', async ({ page }) => {
  await page.goto('/health')
  await page.setContent('<html lang="en"><title>A</title><main><h1>A</h1></main></html>')
  await expectAccessible(page)
  await page.setContent('<html lang="en"><title>A</title><main><button></button></main></html>')
  await expect(expectAccessible(page, STILL)).rejects.toThrow('button-name')
  await page.setContent('<html lang="en"><p style="color: #ddd; background: #fff">Pale</p></html>')
  await expect(expectReadableColors(page, STILL)).rejects.toThrow('color-contrast')
})
