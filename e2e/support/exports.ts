// The programs that an operator and a recipient run on a computer of their own, as child processes.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { dataDir } from './server.ts'

const PROGRAM = fileURLToPath(new URL('../../server/dist/maintenance.js', import.meta.url))
const COMMAND = /^npm run archive -- (.+)$/

type Ran = { exitCode: number | null; said: string }

export const anEmptyFolder = () => mkdtemp(join(tmpdir(), 'exports-'))
export const removeFolder = (at: string) => rm(at, { recursive: true, force: true })

/** Runs a command that the app shows, word for word, on the archive of this worker's server. */
export function runArchiveCommand(command: string, folder: string): Promise<Ran> {
  const [, args] = COMMAND.exec(command) ?? []
  if (!args) throw new Error(`Not a command of the archive: ${command}`)
  // npm says where it was called by INIT_CWD.
  const environment = { DATA_DIR: dataDir(), INIT_CWD: folder }
  return run([PROGRAM, 'archive', ...args.split(' ')], folder, environment)
}

/** `node verify-export.mjs …` in the folder of an export, as its recipient does. */
export const verifyExport = (folder: string, ...args: string[]) =>
  run(['verify-export.mjs', ...args], folder)

async function run(args: string[], cwd: string, environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  )
  const said = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: await ended, said: said.join('') }
}
