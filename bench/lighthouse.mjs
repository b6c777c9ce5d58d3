// Lighthouse scores of the login and Home on its emulated phone. `node bench/lighthouse.mjs` after `npm run build`.
// Lighthouse is installed into a temporary folder to keep the product's install small. Scores vary with the machine, so
// they are only reported; `npm test` checks byte budgets.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const VERSION = '12.8.2'
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TOOLS = process.env.LIGHTHOUSE_DIR ?? join(tmpdir(), `rally-lighthouse-${VERSION}`)
const [PORT, DEBUG_PORT] = [18_790, 18_791]
const SITE = `http://localhost:${PORT}`
const ROUNDS = 3

const lighthouse = await loadLighthouse()
const { chromium } = createRequire(join(ROOT, 'e2e/package.json'))('@playwright/test')
const server = spawn(process.execPath, ['server/dist/main.js', '--demo'], {
  cwd: ROOT,
  env: { ...process.env, PORT: String(PORT), DATA_DIR: mkdtempSync(join(tmpdir(), 'lighthouse-')) },
  stdio: 'ignore',
})
try {
  await untilHealthy()
  const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'chrome-')), {
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: ['--no-sandbox', `--remote-debugging-port=${DEBUG_PORT}`],
  })
  await report('login', '/')
  const page = await context.newPage()
  await page.goto(SITE)
  await page.getByLabel('Email').fill('maya.ortiz@example.com')
  await page.getByLabel('Password', { exact: true }).fill('rally-demo')
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/home')
  await page.goto('about:blank')
  await report('home', '/home')
  await context.close()
} finally {
  server.kill('SIGTERM')
}

/** The median round by performance: scores, and the times they come from. */
async function report(name, path) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const { lhr } = await lighthouse(`${SITE}${path}`, {
      port: DEBUG_PORT,
      disableStorageReset: name === 'home',
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    })
    rounds.push(lhr)
  }
  rounds.sort((a, b) => a.categories.performance.score - b.categories.performance.score)
  const { categories, audits } = rounds[Math.floor(ROUNDS / 2)]
  const scores = Object.values(categories).map(({ score }) => Math.round(score * 100))
  const times = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ].map((id) => `${id} ${audits[id].displayValue}`)
  console.log(`${name}: ${scores.join(' / ')}  (${times.join(', ')})`)
  for (const { auditRefs } of Object.values(categories).slice(1)) {
    for (const { id, weight } of auditRefs) {
      if (weight > 0 && audits[id].score === 0) console.log(`  ${id}: ${audits[id].title}`)
    }
  }
}

async function loadLighthouse() {
  const entry = join(TOOLS, 'node_modules/lighthouse/core/index.js')
  if (!existsSync(entry)) {
    mkdirSync(TOOLS, { recursive: true })
    writeFileSync(join(TOOLS, 'package.json'), '{ "private": true }')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `lighthouse@${VERSION}`], {
      cwd: TOOLS,
      stdio: 'inherit',
    })
  }
  return (await import(pathToFileURL(entry).href)).default
}

async function untilHealthy() {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(`${SITE}/health`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  throw new Error('The server did not start')
}
