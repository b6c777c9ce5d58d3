// The embedded Postgres: created at the first start, taken over after a crash, stopped with this process.
import { closeSync, existsSync, fchmodSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { isAbsolute, join, resolve } from 'node:path'
import type pg from 'pg'
import { postgresBinaries, type PostgresBinaries } from './binaries.ts'
import { clusterSettings } from './cluster-settings.ts'
import { freePort } from './free-port.ts'
import { GuardedClient } from './guarded-client.ts'
import { clearStalePid, readPidFile } from './pid-file.ts'
import { keepPruned } from './server-log.ts'
import { socketSetting, socketUrl } from './unix-socket.ts'
import { unprivilegedUser, type RunAsUser } from './unprivileged-user.ts'

export const SUPERUSER = 'supabase_admin'
const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 25
const STOP_TIMEOUT_MS = 15_000
/** How long to wait for Postgres to exit after the owner connection ended. */
const LOST_TIMEOUT_MS = 1_000
/** Arbitrary, but every version of this program must use the same number. */
const OWNER_LOCK = 7_240_115

export type EmbeddedCluster = {
  /** Connects as the superuser to the database `postgres`. */
  url: string
  /** The same over the Unix socket if there is one: cheaper, for clients that support it. */
  socketUrl: string
  stop(): Promise<void>
}

export type ClusterSettings = {
  /** The cluster is in `postgres/`; what Postgres prints before it opens its own log is in `postgres.log`. */
  dataDir: string
  password: string
  /** False trades durability for speed. */
  durable?: boolean
  /** How many processes of this program use it; 1 by default. */
  processes?: number
  /** This version's by default. */
  binaries?: PostgresBinaries
  /** Called on restarts and failures. */
  onEvent?(message: string, error?: unknown): void
}

/**
 * Starts the cluster in `dataDir`, creating it first if needed.
 * @throws if another running process owns it or Postgres does not start; the message says what to do
 */
export async function startEmbeddedCluster(settings: ClusterSettings): Promise<EmbeddedCluster> {
  const { password, durable = true, processes = 1, onEvent = () => undefined } = settings
  const dataDir = resolve(settings.dataDir)
  const folder = join(dataDir, 'postgres')
  const log = join(dataDir, 'postgres.log')
  const { binaries = postgresBinaries() } = settings
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const user = unprivilegedUser([binaries.root, folder])
  if (hasCluster(dataDir)) await refuseOtherMajor(folder, binaries)
  else await createCluster(folder, binaries, password, user)

  const options = { durable, processes }
  const running = await findRunning(folder, password)
  const port = running?.port ?? (await freePort())
  const url = urlOf(password, port)
  let child = running ? null : launch(binaries, folder, log, port, options, user)
  let pid = running?.pid ?? child?.pid
  let owner = await acquireOwnership(url, dataDir, log, () => child?.exitCode ?? null)
  let stopping = false

  // Restarts a dead Postgres on the same port, so that every pool reconnects. If it is still alive, only the connection
  // was lost: one of its backends crashed, or an administrator terminated it.
  async function revive() {
    if (stopping) return
    try {
      if (!isAlive(pid)) {
        onEvent('Postgres stopped unexpectedly; restarting it')
        await clearStalePid(folder)
        child = launch(binaries, folder, log, port, options, user)
        pid = child.pid
      }
      owner = await acquireOwnership(url, dataDir, log, () => child?.exitCode ?? null)
      watch()
    } catch (error) {
      onEvent('Postgres could not be restarted', error)
      setTimeout(() => void revive(), 1000)
    }
  }
  function watch() {
    owner.once('end', () => void waitForExit(pid, LOST_TIMEOUT_MS).then(revive))
  }
  watch()
  const stopPruning = keepPruned(folder, (error) =>
    onEvent('The Postgres log could not be pruned', error),
  )

  return {
    url,
    socketUrl: socketUrl(url, (await readPidFile(folder))?.socketFolder ?? null),
    async stop() {
      stopping = true
      stopPruning()
      await owner.end().catch(() => undefined)
      signal(pid, 'SIGINT')
      if (!(await waitForExit(pid, STOP_TIMEOUT_MS))) signal(pid, 'SIGQUIT')
    },
  }
}

/** Whether `dataDir` holds a database, running or not. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(resolve(dataDir), 'postgres', 'PG_VERSION'))
}

// Postgres itself would say "database files are incompatible with server", and only in its log.
async function refuseOtherMajor(folder: string, binaries: PostgresBinaries) {
  const found = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (found === binaries.major) return
  throw new Error(
    `the database in ${folder} is of Postgres ${found}, and this version brings Postgres ${binaries.major}. Nothing was changed. ` +
      'With the version you had before, make a backup (npm run backup -- FOLDER); with this one, restore it into an ' +
      'empty DATA_DIR (npm run restore -- FILE)',
  )
}

/**
 * Connects to the cluster that another process runs in `dataDir`.
 * @returns the superuser's URL, or null if it is not running
 */
export async function findRunningCluster(
  dataDir: string,
  password: string,
): Promise<string | null> {
  const folder = join(resolve(dataDir), 'postgres')
  const running = await findRunning(folder, password)
  return running && urlOf(password, running.port)
}

function urlOf(password: string, port: number): string {
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
}

async function createCluster(
  folder: string,
  binaries: PostgresBinaries,
  password: string,
  user: RunAsUser | null,
) {
  // Created under a temporary name and renamed, so that an interrupted first start leaves no partial cluster.
  const draft = `${folder}.draft`
  const passwordFile = `${folder}.password`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) {
    await chown(draft, user.uid, user.gid)
    await chown(passwordFile, user.uid, user.gid)
  }
  await chmod(draft, 0o700)
  const args = [
    ...['--pgdata', draft, '--username', SUPERUSER, '--pwfile', passwordFile],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
  ]
  const run = user?.wrap(binaries.initdb, args) ?? { command: binaries.initdb, args }
  const made = spawnSync(run.command, run.args, { cwd: '/', encoding: 'utf8' })
  await rm(passwordFile, { force: true })
  if (made.status !== 0) {
    throw new Error(
      `Postgres could not create its data folder: ${made.stderr || made.error?.message}`,
    )
  }
  await rename(draft, folder)
}

function launch(
  binaries: PostgresBinaries,
  folder: string,
  log: string,
  port: number,
  options: { durable: boolean; processes: number },
  user: RunAsUser | null,
): ChildProcess {
  const settings = [socketSetting(folder), ...clusterSettings(options)]
  const args = ['-D', folder, '-p', String(port), ...settings.flatMap((each) => ['-c', each])]
  const run = user?.wrap(binaries.postgres, args) ?? { command: binaries.postgres, args }
  // Only holds what Postgres prints before it opens its own log. Truncated at each start, so it stays small.
  const output = openSync(log, 'w', 0o600)
  fchmodSync(output, 0o600)
  // In its own process group: Ctrl-C must reach only this process, which stops Postgres last.
  const child = spawn(run.command, run.args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  child.on('error', () => undefined)
  child.unref()
  return child
}

/** Waits until Postgres responds, then takes a session lock for this process: two owners would stop each other's Postgres. */
async function acquireOwnership(
  url: string,
  dataDir: string,
  log: string,
  exitCode: () => number | null,
): Promise<pg.Client> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    const client = new GuardedClient({ connectionString: url, application_name: 'owner' })
    try {
      await client.connect()
      const { rows } = await client.query<{ mine: boolean }>(
        'select pg_try_advisory_lock($1) as mine',
        [OWNER_LOCK],
      )
      if (rows[0]?.mine) return client
      await client.end()
      throw new InUseError(`${dataDir} is in use by another running process`)
    } catch (error) {
      await client.end().catch(() => undefined)
      if (error instanceof InUseError) throw error
      if (exitCode() !== null || Date.now() > deadline) {
        throw new Error(`Postgres did not start: see ${log} and ${join(dataDir, 'postgres/log')}`, {
          cause: error,
        })
      }
      await new Promise((resume) => setTimeout(resume, READY_POLL_MS))
    }
  }
}

class InUseError extends Error {}

/** The Postgres that a killed process left running, if it responds and serves this folder. */
async function findRunning(
  folder: string,
  password: string,
): Promise<{ pid: number; port: number } | null> {
  const recorded = await readPidFile(folder)
  if (!recorded) return null
  const { pid, port } = recorded
  const client = new GuardedClient({
    connectionString: urlOf(password, port),
    connectionTimeoutMillis: 2000,
  })
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return rows[0]?.data_directory === folder && isAbsolute(folder) ? { pid, port } : null
  } catch {
    await clearStalePid(folder)
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}

function isAlive(pid: number | undefined): boolean {
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function signal(pid: number | undefined, name: NodeJS.Signals) {
  if (isAlive(pid) && pid) process.kill(pid, name)
}

async function waitForExit(pid: number | undefined, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false
    await new Promise((resume) => setTimeout(resume, READY_POLL_MS))
  }
  return true
}
