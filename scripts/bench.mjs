// Runs all benchmarks in bench/, or the named ones: npm run bench -- data-api chat
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled } from './setup.mjs'
import { ROOT, run, tool } from './run.mjs'

await ensureInstalled()
await ensureBuilt()
const all = readdirSync(join(ROOT, 'bench'))
  .filter((name) => name.endsWith('.bench.ts'))
  .map((name) => name.replace('.bench.ts', ''))
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !all.includes(name))
if (unknown) {
  console.error(`There is no benchmark ${unknown}; there are: ${all.join(', ')}.`)
  process.exit(1)
}
for (const name of wanted.length ? wanted : all) {
  console.log(`\n${name}`)
  if ((await run(tool('tsx'), [`bench/${name}.bench.ts`])) !== 0) process.exitCode = 1
}
