// Compiles web/messages into src/lib/messages, where types, tests and the dev server find it.
import { compile } from '@inlang/paraglide-js'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PARAGLIDE_OPTIONS } from '../paraglide.ts'

const inWeb = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Compiles every text; the compiler leaves timers behind, so a script that called this must exit. */
export async function compileMessages() {
  await compile({
    ...PARAGLIDE_OPTIONS,
    strategy: [...PARAGLIDE_OPTIONS.strategy],
    project: inWeb(PARAGLIDE_OPTIONS.project),
    outdir: inWeb(PARAGLIDE_OPTIONS.outdir),
  })
  // The compiler leaves unchanged files alone, so their age says nothing: this one says when it last ran.
  await writeFile(inWeb(`${PARAGLIDE_OPTIONS.outdir}/compiled-at.txt`), new Date().toISOString())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await compileMessages()
  process.exit()
}
