import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, devices } from '@playwright/test'

// The config is read again in every worker; the first reading chooses the port and the folder for all of them.
process.env.E2E_PORT ??= String(18_000 + Math.floor(Math.random() * 2000))
process.env.E2E_PUSH_SERVICE ??= `http://127.0.0.1:${20_000 + Math.floor(Math.random() * 2000)}`
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'e2e-'))

const port = process.env.E2E_PORT
const phone = devices['Pixel 7']

export default defineConfig({
  testDir: '.',
  outputDir: './results/traces',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : 'list',
  use: {
    baseURL: `http://localhost:${port}`,
    trace: 'retain-on-failure',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH || undefined,
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
    },
  },
  projects: [
    { name: 'phone', use: { ...phone }, testIgnore: ['**/*.desktop.spec.ts', '**/*.look.spec.ts'] },
    {
      name: 'look',
      // A touch screen of plain density; the specs choose their sizes.
      use: { ...phone, deviceScaleFactor: 1, serviceWorkers: 'block' },
      testMatch: '**/*.look.spec.ts',
    },
    {
      name: 'desktop',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
      testMatch: '**/*.desktop.spec.ts',
    },
  ],
  webServer: {
    command: 'node --enable-source-maps server/dist/main.js --demo',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    url: `http://localhost:${port}/health`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'pipe',
    // Every test is a new member from the same address.
    env: {
      PORT: port,
      DATA_DIR: process.env.E2E_DATA_DIR,
      RATE_LIMIT_FACTOR: '0',
      PUSH_WEB_SERVICES: process.env.E2E_PUSH_SERVICE,
    },
  },
})
