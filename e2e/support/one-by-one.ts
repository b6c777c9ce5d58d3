import type { Page } from '@playwright/test'

/**
 * From the next load on the page asks one by one, as it asks a hosted project, so that a journey can respond to a single request
 * itself.
 */
export async function asksOneByOne(page: Page): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    const config = (await response.json()) as object
    await route.fulfill({ response, json: { ...config, takesBatches: false } })
  })
}
