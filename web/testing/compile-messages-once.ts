import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileMessages } from '../scripts/compile-messages.ts'

const web = fileURLToPath(new URL('..', import.meta.url))
const compiledAt = `${web}/src/lib/messages/compiled-at.txt`

function newestTextAge() {
  const files = readdirSync(`${web}/messages`, { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map((file) => statSync(`${web}/messages/${file}`).mtimeMs))
}

/** Compiles the message catalogue if a text is newer than the last compilation. */
export async function setup() {
  const isFresh = existsSync(compiledAt) && statSync(compiledAt).mtimeMs > newestTextAge()
  if (!isFresh) await compileMessages()
}
