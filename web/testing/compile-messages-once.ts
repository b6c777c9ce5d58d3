import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { compileMessages } from '../scripts/compile-messages.ts'
import { BUNDLED_MESSAGES } from './bundled-messages.ts'

const web = fileURLToPath(new URL('..', import.meta.url))
const compiled = `${web}/src/lib/messages`
const compiledAt = `${compiled}/compiled-at.txt`

function newestTextAge() {
  const files = readdirSync(`${web}/messages`, { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map((file) => statSync(`${web}/messages/${file}`).mtimeMs))
}

/** Compiles the message catalogue if a text is newer than the last compilation, and bundles it for the tests. */
export async function setup() {
  const isFresh = existsSync(compiledAt) && statSync(compiledAt).mtimeMs > newestTextAge()
  if (!isFresh) await compileMessages()
  await build({
    entryPoints: [`${compiled}/messages.js`, `${compiled}/runtime.js`],
    outdir: BUNDLED_MESSAGES,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // The two share what they remember, such as the locale.
    splitting: true,
    format: 'esm',
    logLevel: 'warning',
  })
}
