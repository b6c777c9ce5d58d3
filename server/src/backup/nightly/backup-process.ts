// A nightly backup runs in a process of its own, at the lowest priority: hashing and compressing would take the time of members' requests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../../settings.ts'

export type NightlyResult = {
  address: string
  bytes: number
  row_count: number
  file_count: number
  missing_files: number
}

const SETTING = /^(DATA_DIR|DATABASE_URL|S3_.*|BACKUP_.*)$/
const MAX_OUTPUT = 10_000
const STOP_TIMEOUT_MS = 10_000

/**
 * Makes and verifies a backup as the settings want it.
 * @param signal ends it, and leaves nothing of it
 * @throws with the sentence that the process ended with
 */
export async function runNightlyBackup(
  settings: Settings,
  signal: AbortSignal,
): Promise<NightlyResult> {
  const { command, args } = ownProgram()
  const child = spawn(command, [...args, 'nightly'], {
    env: { ...process.env, ...asEnvironment(settings) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let forced: NodeJS.Timeout | undefined
  const stop = () => {
    child.kill('SIGTERM')
    forced = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  let output = ''
  let complaint = ''
  child.stdout.on(
    'data',
    (data: Buffer) => (output = (output + data.toString()).slice(-MAX_OUTPUT)),
  )
  child.stderr.on(
    'data',
    (data: Buffer) => (complaint = (complaint + data.toString()).slice(-MAX_OUTPUT)),
  )
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0)
      throw new Error(complaint.trim() || 'The process that made the backup was killed.')
    return JSON.parse(output) as NightlyResult
  } finally {
    clearTimeout(forced)
    signal.removeEventListener('abort', stop)
  }
}

// Bundled, the programs are next to each other; from source they are compiled on the fly.
function ownProgram(): { command: string; args: string[] } {
  const here = fileURLToPath(import.meta.url)
  const args = here.endsWith('.ts')
    ? ['--import', 'tsx', join(dirname(here), '../../maintenance.ts')]
    : ['--enable-source-maps', join(dirname(here), 'maintenance.js')]
  return { command: process.execPath, args }
}

function asEnvironment(settings: Settings): Record<string, string> {
  const given = Object.entries(settings).filter(
    ([name, value]) => SETTING.test(name) && value !== undefined,
  )
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
