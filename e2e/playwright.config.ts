import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, devices } from '@playwright/test'
import { keepTemporaryFilesInMemory } from 'backend/testing/memory-folder.ts'
import { BROWSER_ARGS } from './support/browser-args.ts'

keepTemporaryFilesInMemory()

// The config is evaluated again in every worker; the first evaluation chooses ports, folders and the time
// of the screenshots for all.
process.env.E2E_PORT ??= String(18_000 + 3 * Math.floor(Math.random() * 1000))
process.env.E2E_PUSH_SERVICE ??= `http://127.0.0.1:${20_000 + Math.floor(Math.random() * 2000)}`
process.env.E2E_STARTED_AT ??= String(Date.now())
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'e2e-'))

const port = Number(process.env.E2E_PORT)
/** One team for the journeys, one that stays unchanged for the screenshots, and one whose rules of joining change. */
const journeys = demoTeam('journeys', port)
const untouched = demoTeam('untouched', port + 1)
const door = demoTeam('door', port + 2)
const phone = devices['Pixel 7']
const look = {
  ...untouched.project,
  // A touch screen of density 1; the specs choose their sizes.
  use: { ...phone, deviceScaleFactor: 1, ...untouched.project.use },
} as const

export default defineConfig({
  testDir: '.',
  outputDir: './results/traces',
  fullyParallel: true,
  // A journey spends half of its time waiting for responses and animations.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 90_000,
  expect: { timeout: 15_000 },
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
  projects: [
    // First: one of its tests takes minutes, and at the end two workers would wait for it.
    { name: 'look', ...look, testMatch: '**/{screens,states}.look.spec.ts' },
    {
      name: 'phone',
      ...journeys.project,
      use: { ...phone, ...journeys.project.use },
      testIgnore: ['**/*.desktop.spec.ts', '**/*.look.spec.ts', '**/*.door.spec.ts'],
    },
    {
      name: 'door',
      ...door.project,
      use: { ...phone, ...door.project.use },
      testMatch: '**/*.door.spec.ts',
    },
    // Its members would appear in the lists of the other screenshots.
    { name: 'long', ...look, testMatch: '**/long-words.look.spec.ts', dependencies: ['look'] },
    {
      name: 'desktop',
      ...journeys.project,
      use: {
        ...devices['Desktop Chrome'],
        viewport: { width: 1280, height: 800 },
        ...journeys.project.use,
      },
      testMatch: '**/*.desktop.spec.ts',
    },
  ],
  webServer: [journeys.server, untouched.server, door.server],
})

function demoTeam(name: string, ownPort: number) {
  const baseURL = `http://localhost:${ownPort}`
  const dataDir = join(process.env.E2E_DATA_DIR ?? '', name)
  const server = {
    command: 'node --enable-source-maps server/dist/main.js --demo',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    url: `${baseURL}/health`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
    stdout: 'pipe' as const,
    // Every test creates a member from the same address.
    env: {
      PORT: String(ownPort),
      DATA_DIR: dataDir,
      RATE_LIMIT_FACTOR: '0',
      PUSH_WEB_SERVICES: process.env.E2E_PUSH_SERVICE ?? '',
    },
  }
  return { server, project: { metadata: { dataDir }, use: { baseURL } } }
}
