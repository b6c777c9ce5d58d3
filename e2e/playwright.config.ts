import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { keepTemporaryFilesInMemory } from 'backend/testing/memory-folder.ts'
import 'backend/testing/quiet-client.ts'
import { BROWSER_ARGS } from './support/browser-args.ts'

keepTemporaryFilesInMemory()

// The config is evaluated again in every worker; the first evaluation chooses the folder and the time of the screenshots
// for all.
process.env.E2E_FOLDER ??= mkdtempSync(join(tmpdir(), 'e2e-'))
process.env.E2E_STARTED_AT ??= String(Date.now())

const phone = devices['Pixel 7']
// A touch screen of density 1; the specs choose their sizes.
const look = { ...phone, deviceScaleFactor: 1 }

export default defineConfig({
  testDir: '.',
  globalSetup: './support/own-server.ts',
  outputDir: './results/traces',
  fullyParallel: true,
  // A journey spends half of its time waiting for responses and animations.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Generous: these end what hangs. Times that the product promises are measured apart (support/promised-times.ts).
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : 'list',
  use: {
    // A trace costs as much as the journey; the page at the moment of failure is kept anyway. TRACE=1 records
    // all.
    trace: process.env.TRACE ? 'on' : 'off',
    screenshot: 'only-on-failure',
    // Each new browser would install it again; offline and push journeys allow it.
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // The full browser: the headless shell shows no notifications.
    channel: process.env.CHROMIUM_PATH ? undefined : 'chromium',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH || undefined,
      args: BROWSER_ARGS,
    },
  },
  // A project has workers, and so servers, of its own: screenshots show a team that no journey changed.
  projects: [
    // First: one of its tests takes minutes, and at the end two workers would wait for it.
    { name: 'look', use: look, testMatch: '**/{screens,states}.look.spec.ts' },
    {
      name: 'phone',
      use: phone,
      testIgnore: [
        '**/*.desktop.spec.ts',
        '**/*.look.spec.ts',
        '**/*.door.spec.ts',
        '**/requests.spec.ts',
      ],
    },
    { name: 'door', use: phone, testMatch: '**/*.door.spec.ts' },
    // A screen also reads what others changed within the last minute, which is not to be counted here.
    { name: 'requests', use: phone, testMatch: '**/requests.spec.ts' },
    // Its members would appear in the lists of the other screenshots.
    { name: 'long', use: look, testMatch: '**/long-words.look.spec.ts' },
    {
      name: 'desktop',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
      testMatch: '**/*.desktop.spec.ts',
    },
  ],
})
