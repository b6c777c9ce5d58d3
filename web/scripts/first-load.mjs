// What the login screen downloads first: the entry's static graph, JavaScript as sent (gzip).
// Run after a build; fails above the budget of DESIGN section 6.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const BUDGET_KB = 140
const DIST = new URL('../dist/', import.meta.url)

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'))
const chunks = new Set()

function visit(name) {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The build has no chunk for ${name}`)
  if (chunks.has(chunk.file)) return
  chunks.add(chunk.file)
  for (const imported of chunk.imports ?? []) visit(imported)
}
visit('index.html')

const sizes = [...chunks]
  .map((file) => ({
    file,
    bytes: gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length,
  }))
  .sort((a, b) => b.bytes - a.bytes)
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000

for (const { file, bytes } of sizes)
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${file}`)
console.log(
  `${total.toFixed(1).padStart(7)} kB  first load of the login screen, of ${BUDGET_KB} kB`,
)
process.exitCode = total > BUDGET_KB ? 1 : 0
