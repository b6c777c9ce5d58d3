// A signal that ends `npm run demo`, `npm start` or `npm run dev` ends the server and its Postgres too.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'run-'))
afterAll(() => rmSync(folder, { recursive: true }))

const RUN = JSON.stringify(join(import.meta.dirname, 'run.mjs'))
const server = join(folder, 'server.mjs')
const [program, watching] = [join(folder, 'program.mjs'), join(folder, 'watching.mjs')]
// Like the server, it takes a moment to stop, and a second signal does not hurry it.
writeFileSync(
  server,
  `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => setTimeout(() => process.exit(0), 200))
  setInterval(() => {}, 1000)
  console.log('pid ' + process.pid)`,
)
writeFileSync(
  program,
  `import { runUntilStopped } from ${RUN}
  runUntilStopped([{ command: process.execPath, args: [${JSON.stringify(server)}] }])`,
)
// Like a watcher, it kills what it runs at a second signal.
const watcher = join(folder, 'watcher.mjs')
writeFileSync(
  watcher,
  `import { spawn } from 'node:child_process'
  const server = spawn(process.execPath, [${JSON.stringify(server)}], { stdio: ['ignore', 'inherit', 'inherit'] })
  server.on('exit', (code) => process.exit(code ?? 1))
  let signals = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => server.kill(++signals > 1 ? 'SIGKILL' : signal))`,
)
writeFileSync(
  watching,
  `import { runUntilStopped } from ${RUN}
  runUntilStopped([{ command: process.execPath, args: [${JSON.stringify(watcher)}], isWatcher: true }])`,
)
writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({ scripts: { demo: `exec node ${JSON.stringify(program)}` } }),
)

async function pidOfServer({ stdout }: ChildProcess): Promise<number> {
  let said = ''
  for await (const part of stdout ?? []) {
    said += String(part)
    const pid = /pid (\d+)/.exec(said)?.[1]
    if (pid) return Number(pid)
  }
  throw new Error(`No server: ${said}`)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.each([
  ['a server', program],
  ['a watcher with its server', watching],
])('a program that runs %s', (_what, path) => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends it at %s to the program alone, and waits for it',
    async (signal) => {
      const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
      const pid = await pidOfServer(child)
      child.kill(signal)
      await once(child, 'exit')
      expect([child.exitCode, isRunning(pid)]).toEqual([0, false])
    },
  )
})

// As a terminal does.
test('Ctrl-C pressed twice reaches a watcher once, so that its server ends in order', async () => {
  const child = spawn(process.execPath, [watching], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const pid = await pidOfServer(child)
  const group = -(child.pid ?? 0)
  process.kill(group, 'SIGINT')
  process.kill(group, 'SIGINT')
  await once(child, 'exit')
  expect([child.exitCode, isRunning(pid)]).toEqual([0, false])
})

// npm passes on SIGINT and SIGTERM, and dies of the others.
test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  '%s to npm alone ends the server',
  async (signal) => {
    const npm = spawn('npm', ['run', 'demo'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    const pid = await pidOfServer(npm)
    npm.kill(signal)
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 })
  },
)
