import { expect, test } from '@playwright/test'
import { expectAccessible, expectReadableColors } from './support/accessibility.ts'

test('accessibility violations are found', async ({ page }) => {
  await page.goto('/health')
  await page.setContent('<html lang="en"><title>A</title><main><h1>A</h1></main></html>')
  await expectAccessible(page)
  await page.setContent('<html lang="en"><title>A</title><main><button></button></main></html>')
  await expect(expectAccessible(page)).rejects.toThrow('button-name')
  await page.setContent('<html lang="en"><p style="color: #ddd; background: #fff">Pale</p></html>')
  await expect(expectReadableColors(page)).rejects.toThrow('color-contrast')
})
