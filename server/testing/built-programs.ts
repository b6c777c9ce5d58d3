// The programs as an installation starts them, built once for all tests: compiled at its start, each would take four times as long.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

const SERVER = join(import.meta.dirname, '..')
const BUNDLE = join(SERVER, '../scripts/bundle.mjs')

declare module 'vitest' {
  export interface ProvidedContext {
    programs: { main: string; maintenance: string }
  }
}

/** Vitest's global setup: builds into a folder of this run, and returns what removes it. */
export default function setup(project: TestProject) {
  // In the project, where the programs find their packages and the migrations.
  const folder = join(SERVER, 'testing/dist', String(process.pid))
  const build = (name: string) => {
    const file = join(folder, `${name}.js`)
    execFileSync(process.execPath, [BUNDLE, join(SERVER, `src/${name}.ts`), file])
    return file
  }
  project.provide('programs', { main: build('main'), maintenance: build('maintenance') })
  return () => rmSync(folder, { recursive: true, force: true })
}
