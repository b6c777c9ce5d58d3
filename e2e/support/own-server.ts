// Each worker has a server and a database of its own, a copy of one demo team: journeys that run at the same time share
// nothing, and one may change what it likes.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from 'backend/postgres/free-port.ts'

const MAIN = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
const READY_WITHIN_MS = 60_000
const ASK_AGAIN_MS = 50
const STOPS_WITHIN_MS = 15_000

export type OwnServer = {
  url: string
  dataDir: string
  /** Where a journey may start a push service, which this server accepts. */
  pushService: string
  stop(): Promise<void>
}

/** Playwright's global setup: makes the demo team that all servers start with. @returns the teardown */
export default async function makeTeam() {
  const server = await start(join(folder(), 'team'))
  await server.stop()
  return async () => {
    await killLeftovers()
    await rm(folder(), { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Starts the server of the worker with this number. */
export async function startOwnServer(worker: number): Promise<OwnServer> {
  const dataDir = join(folder(), `worker-${worker}`)
  await mkdir(dataDir)
  // Node's own copy does not keep the owner, and Postgres refuses a folder of somebody else's.
  await promisify(execFile)('cp', ['-a', join(folder(), 'team', '.'), dataDir])
  return start(dataDir)
}

/** Of this run; the config chooses it. */
function folder(): string {
  const { E2E_FOLDER } = process.env
  if (!E2E_FOLDER) throw new Error('E2E_FOLDER names no folder')
  return E2E_FOLDER
}

async function start(dataDir: string): Promise<OwnServer> {
  const port = await freePort()
  const pushService = `http://127.0.0.1:${await freePort()}`
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN, '--demo'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      // Every journey creates members from the same address.
      RATE_LIMIT_FACTOR: '0',
      PUSH_WEB_SERVICES: pushService,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const pidFile = `${dataDir}.pid`
  await writeFile(pidFile, String(child.pid))
  const url = `http://localhost:${port}`
  try {
    await untilReady(child, url)
  } catch (error) {
    await end(child)
    throw error
  }
  return {
    url,
    dataDir,
    pushService,
    async stop() {
      await end(child)
      await rm(pidFile)
    },
  }
}

async function untilReady(child: ChildProcess, url: string) {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new Error(`The server ended with exit code ${child.exitCode}`)
    const isReady = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await setTimeout(ASK_AGAIN_MS)
  }
  throw new Error(`The server was not ready within ${READY_WITHIN_MS} ms`)
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const kill = globalThis.setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS)
  await ended
  clearTimeout(kill)
}

/** A worker that crashed could not stop its server. */
async function killLeftovers() {
  for (const name of await readdir(folder())) {
    if (!name.endsWith('.pid')) continue
    try {
      process.kill(Number(await readFile(join(folder(), name), 'utf8')), 'SIGTERM')
    } catch {
      // It ended by itself.
    }
  }
}
