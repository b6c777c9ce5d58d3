import { test as base, type Page, type TestInfo } from '@playwright/test'
import { startOwnServer } from './own-server.ts'
import { nameServer } from './server.ts'

/** A journey, on the server of its worker. */
export const test = base.extend<{ ownContexts: void }, { ownServer: string }>({
  ownServer: [
    async ({}, use, { workerIndex }) => {
      const server = await startOwnServer(workerIndex)
      nameServer(server)
      await use(server.url)
      await server.stop()
    },
    { scope: 'worker', auto: true },
  ],
  baseURL: ({ ownServer }, provide) => provide(ownServer),
  context: async ({ context }, provide, testInfo) => {
    await provide(context)
    await printIfFailed(testInfo, context.pages())
  },
  // Closes what a journey opened: Playwright keeps contexts that a test made itself until the worker ends, and every page
  // left open would go on reading what the others write.
  ownContexts: [
    async ({ browser }, use, testInfo) => {
      await use()
      const contexts = browser.contexts()
      await printIfFailed(
        testInfo,
        contexts.flatMap((context) => context.pages()),
      )
      await Promise.all(contexts.map((context) => context.close()))
    },
    { auto: true },
  ],
})

/** Where the pages were when a journey failed, and what they showed: of a remote run, the log may be all there is. */
async function printIfFailed({ status, expectedStatus, title }: TestInfo, pages: Page[]) {
  if (status === expectedStatus) return
  for (const page of pages) {
    const shown = await page
      .locator('body')
      .ariaSnapshot({ timeout: 2000 })
      .catch((error: unknown) => String(error))
    console.log(`After “${title}”: ${page.url()}\n${shown.slice(0, 3000)}\n`)
  }
}
