// Where the first test that needs the demo team keeps it for the others. Removed after the run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    demoFolder: string
  }
}

/** Vitest's global setup. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  project.provide('demoFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}
