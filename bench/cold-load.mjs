// What a member's first visit costs without a service worker: script files, their bytes, requests to the backend, and when
// its code was there, when the backend was first asked and had responded, and when the content was drawn, on 1.6 Mbit/s, 150 ms
// and a CPU slowed four times.
// `node bench/cold-load.mjs` after `npm run build`; `ROUNDS=5`, `SCREENS=home,chats` and `REQUESTS=1` (lists them) narrow or widen it;
// with `REMEMBERS=0` the device does not remember what the screen asked for last time.
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PORT = Number(process.env.PORT ?? 18_795)
const SITE = `http://localhost:${PORT}`
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const REMEMBERS = process.env.REMEMBERS !== '0'
const PHONE = { viewport: { width: 412, height: 839 }, isMobile: true, hasTouch: true }
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const CPU_SLOWDOWN = 4
/** After the content is drawn, so that what a screen asks for late is counted too. */
const SETTLES_AFTER_MS = 1500

const MEMBER = 'ben.castellano@example.com'
const ADMIN = 'dana.reyes@example.com'
/** The address and what is there only once the content is. */
const SCREENS = {
  login: { path: '/', drawn: 'form input[type=password]' },
  home: { path: '/home', drawn: 'main h2', as: MEMBER },
  chats: { path: '/chat', drawn: 'main a[href^="/chat/"]:has(time)', as: MEMBER },
  thread: { path: 'a thread', drawn: 'main [role=log] time, main [role=log] p', as: MEMBER },
  training: { path: '/training', drawn: 'main h1', as: MEMBER },
  calculator: { path: '/calculator', drawn: 'main h1', as: MEMBER },
  admin: { path: '/admin', drawn: 'main h1', as: ADMIN },
}

const { chromium } = createRequire(join(ROOT, 'e2e/package.json'))('@playwright/test')
const server = spawn(process.execPath, ['server/dist/main.js', '--demo'], {
  cwd: ROOT,
  env: {
    ...process.env,
    PORT: String(PORT),
    DATA_DIR: mkdtempSync(join(tmpdir(), 'cold-load-')),
    RATE_LIMIT_FACTOR: '0',
  },
  stdio: 'ignore',
})
try {
  await untilHealthy()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: ['--no-sandbox'],
  })
  const signedIn = new Map()
  for (const email of [MEMBER, ADMIN]) signedIn.set(email, await signIn(browser, email))
  const chosen = process.env.SCREENS?.split(',') ?? Object.keys(SCREENS)
  console.log('screen      files     kB  requests  waves  code  asked  read  drawn ms  blocking ms')
  for (const name of chosen) {
    const screen = SCREENS[name]
    const rounds = []
    let device = signedIn.get(screen.as)
    // What a screen asked for last is remembered, so one visit goes before.
    if (REMEMBERS && device) ({ device } = await visit(browser, screen, device))
    for (let round = 0; round < ROUNDS; round++) rounds.push(await visit(browser, screen, device))
    rounds.sort((a, b) => a.drawn - b.drawn)
    const { files, bytes, asked, code, first, drawn, blocking } = rounds[Math.floor(ROUNDS / 2)]
    const waves = Math.max(0, ...asked.map(({ wave }) => wave))
    const columns = [
      String(files).padStart(7),
      (bytes / 1000).toFixed(1).padStart(6),
      String(asked.length).padStart(9),
      String(waves).padStart(6),
      code.toFixed(0).padStart(5),
      (first?.begun.toFixed(0) ?? '').padStart(6),
      (first?.ended.toFixed(0) ?? '').padStart(5),
      drawn.toFixed(0).padStart(9),
      blocking.toFixed(0).padStart(12),
    ]
    console.log(name.padEnd(10), columns.join(' '))
    if (process.env.REQUESTS)
      for (const each of asked) console.log('   ', each.wave, each.what.join(', '))
  }
  await browser.close()
} finally {
  server.kill('SIGTERM')
}

async function signIn(browser, email) {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(SITE)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('rally-demo')
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/home')
  await page.goto(`${SITE}/chat`)
  const links = page.locator('main a[href^="/chat/"]:has(time)')
  await links.first().waitFor()
  SCREENS.thread.path = await links.first().getAttribute('href')
  const storage = await context.storageState()
  await context.close()
  return storage
}

/** One visit with an empty cache, and nothing read before but the session. */
async function visit(browser, { path, drawn: selector }, storageState) {
  const context = await browser.newContext({ ...PHONE, storageState, serviceWorkers: 'block' })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', NETWORK)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const requests = recordRequests(cdp)
  await page.addInitScript(watchForContent, selector)
  await page.goto(SITE + path, { waitUntil: 'commit' })
  const drawn = await page.waitForFunction(() => window.drawnAt, undefined, { timeout: 60_000 })
  const at = await drawn.jsonValue()
  await page.waitForTimeout(SETTLES_AFTER_MS)
  const { blocking, origin } = await page.evaluate(() => ({
    blocking: window.longTasks.reduce((sum, ms) => sum + Math.max(0, ms - 50), 0),
    origin: performance.timeOrigin,
  }))
  // Scripts that were begun once the content was there are no part of what it waited for.
  const times = ({ begunAt, from, until }) => {
    const begun = begunAt * 1000 - origin
    return { begun, ended: begun + (until - from) * 1000 }
  }
  const all = [...requests.values()].map((each) => ({ ...each, ...times(each) }))
  const scripts = all.filter(({ type, begun }) => type === 'Script' && begun < at)
  const asked = all.filter(({ url, method }) => isAsked(url, method))
  const device = await context.storageState()
  await context.close()
  return {
    device,
    files: scripts.length,
    bytes: scripts.reduce((sum, { bytes }) => sum + bytes, 0),
    code: Math.max(...scripts.map(({ ended }) => ended || 0)),
    first: asked.sort((a, b) => a.begun - b.begun)[0],
    asked: inWaves(asked),
    drawn: at,
    blocking,
  }
}

function isAsked(url, method) {
  return method !== 'OPTIONS' && /\/(rest|batch|auth|functions)\/v1/.test(url)
}

function recordRequests(cdp) {
  const requests = new Map()
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type, wallTime, timestamp }) =>
    requests.set(requestId, {
      url: request.url,
      method: request.method,
      body: request.postData,
      type,
      begunAt: wallTime,
      from: timestamp,
      bytes: 0,
    }),
  )
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const request = requests.get(requestId)
    if (request) Object.assign(request, { bytes: encodedDataLength, until: timestamp })
  })
  return requests
}

/** A request that began after the response to another may have waited for it. */
function inWaves(asked) {
  const found = []
  for (const { url, body, from, until } of asked.sort((a, b) => a.from - b.from)) {
    const before = found.filter((other) => other.until && other.until < from)
    const wave = 1 + Math.max(0, ...before.map((other) => other.wave))
    const what = url.includes('/batch/')
      ? JSON.parse(body).map(({ path }) => named(path))
      : [named(url)]
    found.push({ wave, what, until })
  }
  return found
}

function named(url) {
  return url
    .slice(url.indexOf('/v1/') + 4)
    .split('&')[0]
    .slice(0, 80)
}

/** Runs in the page: notes the frame in which the content was there and no placeholder was. */
function watchForContent(selector) {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    const isThere = document.querySelector(selector) !== null
    const isWaiting = document.querySelector('main .animate-pulse') !== null
    if (isThere && !isWaiting) window.drawnAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function untilHealthy() {
  for (let tries = 0; tries < 200; tries++) {
    const response = await fetch(`${SITE}/health`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  throw new Error('The server did not start')
}
