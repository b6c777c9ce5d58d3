// Installs and builds what is missing before a command runs; fast when nothing is.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT, run, tool } from './run.mjs'

const [major, minor] = process.versions.node.split('.').map(Number)
const nodeIsRecent = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24

/** The sources of the built web app and server. */
const SOURCES = [
  'package-lock.json',
  'package.json',
  'backend/src',
  'backend/package.json',
  'server/src',
  'scripts/bundle.mjs',
  'server/package.json',
  'supabase/functions',
  'web/src',
  'web/messages',
  'web/public',
  'web/project.inlang/settings.json',
  'web/index.html',
  'web/vite.config.ts',
  'web/service-worker-plugin.ts',
  'web/app-manifest.ts',
  'web/paraglide.ts',
  'web/scripts',
  'web/package.json',
]
// Generated from web/messages, which is listed itself.
const GENERATED = join('web', 'src', 'lib', 'messages')

/**
 * Installs packages if the lock file changed since the last install, or if test tools are needed and missing.
 * @param {{ withTestTools?: boolean }} [options] false installs only what builds and runs the app
 */
export async function ensureInstalled({ withTestTools = true } = {}) {
  if (!nodeIsRecent) fail(`Node 20.19, 22.12 or 24 is needed; this is ${process.versions.node}.`)
  const stamp = join(ROOT, 'node_modules/.installed-from')
  const lock = digest(['package-lock.json'])
  const [installedLock, installedSet] = (read(stamp) ?? '').split(' ')
  // A full install stays full: a developer who starts the demo keeps the test tools, and a test that does keeps its own.
  const set = withTestTools || existsSync(tool('vitest')) ? 'all' : 'app'
  if (installedLock === lock && (installedSet === 'all' || set === 'app')) return
  // Not `npm ci`: it gives up when a registry lacks a native binary of some other platform.
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  if (set === 'app') options.push('--omit=dev')
  await step('Installing packages', 'npm', ['install', ...options])
  writeFileSync(stamp, `${lock} ${set}`)
}

/** Builds the web app and the server if a source changed since the last build. */
export async function ensureBuilt() {
  const stamp = join(ROOT, 'server/dist/.built-from')
  const sources = digest(SOURCES)
  if (read(stamp) === sources && existsSync(join(ROOT, 'web/dist/index.html'))) return
  await step('Building the web app', 'npm', ['run', 'build', '--workspace', 'web', '--silent'])
  await step('Building the server', 'npm', ['run', 'build', '--workspace', 'server', '--silent'])
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, sources)
}

/** Compiles the messages, which type checks and tests import. */
export async function ensureMessages() {
  await step('Compiling messages', 'npm', ['run', 'messages', '--workspace', 'web', '--silent'])
}

/**
 * A Chromium for the browser tests: CHROMIUM_PATH, Playwright's own, the system's, or one installed now.
 * @returns {Promise<string | null>} its path, or null for Playwright's own
 */
export async function ensureBrowser() {
  const found = findBrowser()
  if (found !== undefined) return found
  console.log(
    'No Chromium is installed: trying to download Playwright’s. CHROMIUM_PATH names another one.',
  )
  const ownCode = await run(tool('playwright'), ['install', 'chromium'], { isSilent: true })
  if (ownCode === 0 && (await hasPlaywrightBrowser())) return null
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('It cannot be downloaded: installing this system’s package chromium.')
    await step('Updating the package list', 'apt-get', ['update', '-qq'])
    await step('Installing Chromium', 'apt-get', ['install', '-y', '-qq', 'chromium'])
    const installed = findBrowser()
    if (installed) return installed
  }
  fail('The browser tests need Chromium: install it, or set CHROMIUM_PATH to one.')
}

function findBrowser() {
  const wanted = process.env.CHROMIUM_PATH
  if (wanted) return existsSync(wanted) ? wanted : fail(`CHROMIUM_PATH ${wanted} is not there.`)
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    .flatMap((name) => (process.env.PATH ?? '').split(':').map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}

async function hasPlaywrightBrowser() {
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath())
}

/** @param {string} name @param {string} command @param {string[]} args */
async function step(name, command, args) {
  const started = performance.now()
  process.stdout.write(`${name} …`)
  const code = await run(command, args, { quiet: true })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(code === 0 ? ` ${seconds} s` : ' failed')
  if (code !== 0) process.exit(1)
}

/** @param {string[]} paths */
function digest(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    const full = join(ROOT, path)
    if (path === GENERATED || !existsSync(full)) return
    const entries = listFolder(full)
    if (!entries) return void hash.update(path).update(readFileSync(full))
    for (const name of entries) add(join(path, name))
  }
  paths.forEach(add)
  return hash.digest('hex')
}

function listFolder(path) {
  try {
    return readdirSync(path).sort()
  } catch (error) {
    if (error.code === 'ENOTDIR') return null
    throw error
  }
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message)
  process.exit(1)
}
