import { test as base } from '@playwright/test'

/**
 * A journey. Closes what it opened: Playwright keeps contexts that a test made itself until the worker ends, and every page
 * left open would go on reading what the others write.
 */
export const test = base.extend<{ ownContexts: void }>({
  ownContexts: [
    async ({ browser }, use) => {
      await use()
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
})
