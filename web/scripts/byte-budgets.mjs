// What a first visit to a screen loads: script files, and their kilobytes as sent (Brotli). Run after a build; fails above a
// budget, of which each leaves a few per cent to grow. e2e/requests.spec.ts counts again what a browser loads.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

const DIST = new URL('../dist/', import.meta.url)
const STYLE_KB = 12
const FONT_KB = 50
const LOGIN = { files: 4, kB: 95 }
/** A signed-in member's screens, each with the start and the frame around it. */
const SCREENS = {
  'home-page': { files: 6, kB: 155 },
  'chat-screen': { files: 6, kB: 196 },
  'schedule-screen': { files: 7, kB: 157 },
  'training-screen': { files: 6, kB: 146 },
  'licensing-screen': { files: 6, kB: 146 },
  'new-rep-start-screen': { files: 6, kB: 146 },
  'calculator-screen': { files: 6, kB: 157 },
  'notifications-screen': { files: 6, kB: 155 },
  'people-screen': { files: 6, kB: 164 },
  'profile-routes': { files: 7, kB: 169 },
  'admin-page': { files: 12, kB: 191 },
  'admin-manage-page': { files: 12, kB: 203 },
}
/** The bundler's own choice of files had 84 of these. */
const CRUMB_KB = 0.5
const MOST_CRUMBS = 16

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'))
const scripts = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
let isOver = false

const start = filesOf('start')
report('login', [...start, ...filesOf('login')], LOGIN)
for (const [screen, budget] of Object.entries(SCREENS)) {
  const guard = screen.startsWith('admin') ? ['admin-guard', 'admin-routes'] : []
  const all = ['frame', ...guard, screen].flatMap((name) => filesOf(name))
  report(screen, [...start, ...all], budget)
}
const assets = readdirSync(new URL('assets/', DIST)).map((file) => `assets/${file}`)
const ending = (end) => assets.filter((file) => file.endsWith(end))
report('styles', ending('.css'), { files: 1, kB: STYLE_KB })
report('fonts', ending('.woff2'), { files: 1, kB: FONT_KB })
const crumbs = scripts.filter(({ file }) => sent(file) < CRUMB_KB)
if (crumbs.length > MOST_CRUMBS)
  fail(`${crumbs.length} files below ${CRUMB_KB} kB; see web/chunks.ts`)
for (const chunk of scripts) {
  // The browser would run one of them before what it needs.
  if (isImportedByItself(chunk))
    fail(`${chunk.file} imports itself by way of others; see web/chunks.ts`)
}
if (scripts.some(({ name }) => name === 'ui-page'))
  fail('the page of parts (/_ui) is in the build; it is for developing alone')
process.exitCode = isOver ? 1 : 0

/** Everything the browser must load before the code in a file runs, by the file's name. */
function filesOf(name) {
  const chunk = scripts.find((each) => each.name === name)
  if (!chunk) throw new Error(`The build has no file named ${name}`)
  return withImports(chunk)
}

function withImports({ file, imports = [] }, seen = new Set()) {
  if (seen.has(file)) return [...seen]
  seen.add(file)
  for (const imported of imports) withImports(manifest[imported], seen)
  return [...seen]
}

function isImportedByItself({ file, imports = [] }) {
  return imports.some((imported) => withImports(manifest[imported]).includes(file))
}

/** Small files are not compressed beforehand. */
function sent(file) {
  const compressed = new URL(`${file}.br`, DIST)
  return statSync(existsSync(compressed) ? compressed : new URL(file, DIST)).size / 1000
}

function report(what, loaded, budget) {
  const files = new Set(loaded)
  const kB = [...files].reduce((sum, file) => sum + sent(file), 0)
  const over = kB > budget.kB || files.size > budget.files
  isOver ||= over
  const measured = `${String(files.size).padStart(2)} of ${String(budget.files).padStart(2)} files, ${kB.toFixed(1).padStart(6)} of ${String(budget.kB).padStart(3)} kB`
  console.log(`${over ? 'OVER' : 'ok  '} ${measured}  ${what}`)
}

function fail(why) {
  isOver = true
  console.log(`OVER  ${why}`)
}
