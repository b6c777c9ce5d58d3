// Compiles web/messages into src/lib/messages for types, tests and the dev server.
import { compile } from '@inlang/paraglide-js'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PARAGLIDE_OPTIONS } from '../paraglide.ts'

const inWeb = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/**
 * Compiles all messages. The compiler leaves timers running, so a script that calls this must exit
 * explicitly.
 */
export async function compileMessages() {
  await compile({
    ...PARAGLIDE_OPTIONS,
    strategy: [...PARAGLIDE_OPTIONS.strategy],
    project: inWeb(PARAGLIDE_OPTIONS.project),
    outdir: inWeb(PARAGLIDE_OPTIONS.outdir),
  })
  // The compiler skips unchanged files, so their mtime means nothing; this file records the last run.
  await writeFile(inWeb(`${PARAGLIDE_OPTIONS.outdir}/compiled-at.txt`), new Date().toISOString())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await compileMessages()
  process.exit()
}
