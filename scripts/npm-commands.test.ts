// Ending `npm run demo` or `npm start`, as a terminal, systemd or Docker does, leaves no process behind.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from 'backend/postgres/free-port.ts'
import { expect, test, vi } from 'vitest'

// The first may have to build the app.
vi.setConfig({ testTimeout: 240_000 })

const ROOT = join(import.meta.dirname, '..')
const START_MS = 180_000
const STOP_MS = 30_000

/** All processes that descend from one, with their commands. */
function descendants(pid: number): { pid: number; command: string }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const all = lines.flatMap((line) => {
    const [, id, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return id ? [{ pid: Number(id), parent: Number(parent), command }] : []
  })
  const below = (of: number): typeof all =>
    all.filter(({ parent }) => parent === of).flatMap((child) => [child, ...below(child.pid)])
  return below(pid)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

// SIGINT gets past the shell that npm starts only if that shell gives its place to Node.
test.each([
  ['SIGINT', 'npm run demo', ['run', 'demo']],
  ['SIGTERM', 'npm run demo', ['run', 'demo']],
  ['SIGTERM', 'npm start', ['start']],
] as const)('%s to %s ends the server and its Postgres', async (signal, _name, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'npm-'))
  const port = await freePort()
  const npm = spawn('npm', args, {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  npm.stdout.resume()
  let started: ReturnType<typeof descendants> = []
  try {
    await vi.waitFor(
      async () => expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200),
      { timeout: START_MS, interval: 250 },
    )
    started = descendants(npm.pid ?? 0)
    expect(started.some(({ command }) => command.includes('server/dist/main.js'))).toBe(true)
    expect(started.some(({ command }) => command.includes(join(folder, 'postgres')))).toBe(true)
    npm.kill(signal)
    await vi.waitFor(() => expect(started.filter(({ pid }) => isRunning(pid))).toEqual([]), {
      timeout: STOP_MS,
      interval: 100,
    })
  } finally {
    // What its parent left behind is no descendant anymore.
    const left = new Set([...started, ...descendants(npm.pid ?? 0)].map(({ pid }) => pid))
    for (const pid of left) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    npm.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
