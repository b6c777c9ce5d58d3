import { test as base } from '@playwright/test'
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
  // Closes what a journey opened: Playwright keeps contexts that a test made itself until the worker ends, and every page
  // left open would go on reading what the others write.
  ownContexts: [
    async ({ browser }, use) => {
      await use()
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
})
