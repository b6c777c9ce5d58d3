// The program as shipped with the demo team, and a Chromium that looks like a phone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { freePort } from 'backend/postgres/free-port.ts'
import type pg from 'pg'
import { connectTo } from './monday-team.ts'

export const PASSWORD = 'rally-demo'
const PHONE = { viewport: { width: 412, height: 839 }, isMobile: true, hasTouch: true }

export type DemoBrowser = {
  url: string
  /** The publishable key. */
  key: string
  database: pg.Client
  /** A phone on which the member has just signed in. */
  phoneOf(email: string): Promise<Page>
  stop(): Promise<void>
}

export async function startDemoBrowser(): Promise<DemoBrowser> {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-browser-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = spawn(process.execPath, ['server/dist/main.js', '--demo'], {
    env: {
      ...process.env,
      ...{ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', RATE_LIMIT_FACTOR: '0' },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while ((await fetch(`${url}/ready`).catch(() => null))?.status !== 200) await wait(100)
  const { publishableKey: key } = JSON.parse(
    await readFile(join(dataDir, 'keys.json'), 'utf8'),
  ) as { publishableKey: string }
  const database = await connectTo(dataDir)
  // Else a failure before the end would be hidden by that of the connection.
  database.on('error', () => undefined)
  const browser = await chromium.launch({
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  })
  return {
    url,
    key,
    database,
    async phoneOf(email) {
      const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' })
      const page = await context.newPage()
      await page.goto(url)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Login' }).click()
      await page.waitForURL('**/home')
      return page
    },
    async stop() {
      await browser.close()
      await database.end()
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** From now on the CPU is this much slower. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/**
 * Milliseconds from the moment a tap arrives until the frame is drawn in which `isDone` first holds, measured in the page.
 * @param isDone an expression of the page
 */
export async function timeOfTap(page: Page, target: string, isDone: string): Promise<number> {
  await page.evaluate(`window.tapTook = new Promise((resolve) => {
    addEventListener('pointerdown', ({ timeStamp }) => {
      const look = () => (${isDone})
        ? setTimeout(() => resolve(performance.now() - timeStamp))
        : requestAnimationFrame(look)
      requestAnimationFrame(look)
    }, { once: true, capture: true })
  }), undefined`)
  await page.locator(target).first().tap()
  return page.evaluate('window.tapTook')
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
