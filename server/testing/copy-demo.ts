import { execFile } from 'node:child_process'
import { access, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject, vi } from 'vitest'
import { startServer } from '../src/start-server.ts'
import type { Settings } from '../src/settings.ts'

const MADE_WITHIN_MS = 60_000

/**
 * The data of an installation with the demo team, which has been stopped: creating the database and its tables takes three times as
 * long as starting on them.
 */
export async function copyDemo(to: string, settingsFor: (dataDir: string) => Promise<Settings>) {
  const made = join(inject('demoFolder'), 'made')
  const draft = join(inject('demoFolder'), 'draft')
  if (await isFirst(draft)) {
    const server = await startServer(await settingsFor(draft), { demo: true, withoutWebApp: true })
    await server.close()
    await rename(draft, made)
  } else await vi.waitFor(() => access(made), { timeout: MADE_WITHIN_MS })
  // Node's own copy does not keep the owner, and Postgres refuses to start on a folder of somebody else's.
  await promisify(execFile)('cp', ['-a', `${made}/.`, to])
}

/** Of all processes; the folder stays where it is until it is complete. */
async function isFirst(draft: string): Promise<boolean> {
  return mkdir(`${draft}.begun`).then(
    () => true,
    () => false,
  )
}
