// What a phone downloads, gzipped: the login screen first, then each further screen; a first visit to that costs both.
// Run after a build; fails above a budget. Each leaves a few per cent to grow.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const DIST = new URL('../dist/', import.meta.url)
const LOGIN_KB = 103
const STYLE_KB = 13
const FONT_KB = 50
/** A screen's own code: what is fetched when a signed-in member opens it, including the frame around it. */
const SCREENS_KB = {
  'src/app/routing/home-page.tsx': 75,
  'src/features/chat/chat-screen.tsx': 141,
  'src/features/content/schedule-screen.tsx': 64,
  'src/features/content/training-screen.tsx': 65,
  'src/features/content/licensing-screen.tsx': 63,
  'src/features/content/new-rep-start-screen.tsx': 63,
  'src/features/calculator/calculator-screen.tsx': 71,
  'src/features/notifications/notifications-screen.tsx': 67,
  'src/app/routing/profile-routes.tsx': 84,
  'src/app/routing/admin-page.tsx': 90,
  'src/app/routing/admin-manage-page.tsx': 104,
}

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'))
const sent = (file) => gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length
/** Named in web/chunks.ts. */
const FRAME = Object.keys(manifest).find((key) => manifest[key].name === 'frame')
let isOver = false

const login = filesOf('index.html')
report('login screen, JavaScript', total(login), LOGIN_KB)
for (const [screen, budget] of Object.entries(SCREENS_KB)) {
  const own = [...new Set([...filesOf(FRAME), ...filesOf(screen)])].filter(
    (file) => !login.includes(file),
  )
  report(screen, total(own), budget)
}
const assets = readdirSync(new URL('assets/', DIST)).map((file) => `assets/${file}`)
report('styles', total(assets.filter((file) => file.endsWith('.css'))), STYLE_KB)
report('fonts', total(assets.filter((file) => file.endsWith('.woff2'))), FONT_KB)
for (const chunk of Object.keys(manifest)) {
  // The browser would run one of them before what it needs.
  if (!isImportedByItself(chunk)) continue
  isOver = true
  console.log(`OVER  ${manifest[chunk].file} imports itself by way of others; see web/chunks.ts`)
}
if (manifest['src/app/dev/ui-page.tsx']) {
  isOver = true
  console.log('OVER  the page of parts (/_ui) is in the build; it is for developing alone')
}
process.exitCode = isOver ? 1 : 0

/** Everything the browser must load before the module runs. */
function filesOf(name, seen = new Set()) {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The build has no chunk for ${name}`)
  if (seen.has(chunk.file)) return []
  seen.add(chunk.file)
  for (const imported of chunk.imports ?? []) filesOf(imported, seen)
  return [...seen]
}

function isImportedByItself(name) {
  const { file, imports = [] } = manifest[name]
  return imports.some((imported) => filesOf(imported).includes(file))
}

function total(files) {
  return files.reduce((sum, file) => sum + sent(file), 0)
}

function report(what, bytes, budget) {
  const kilobytes = bytes / 1000
  const over = kilobytes > budget
  isOver ||= over
  console.log(
    `${over ? 'OVER' : 'ok  '} ${kilobytes.toFixed(1).padStart(6)} of ${String(budget).padStart(3)} kB  ${what}`,
  )
}
